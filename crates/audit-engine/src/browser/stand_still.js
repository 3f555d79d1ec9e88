// Runs in a world that the page cannot see, while the page's own scripts are stopped. Animations that end are at their end,
// and those that go on for ever are at their beginning.
for (const animation of document.getAnimations()) {
  try {
    if (animation.timeline instanceof DocumentTimeline) {
      if (animation.effect.getComputedTiming().endTime === Infinity) {
        animation.pause();
        animation.currentTime = 0;
      } else {
        animation.finish();
      }
    }
  } catch {
    // It does not run.
  }
}
