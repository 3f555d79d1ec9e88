// The BenchmarkIndex of Lighthouse: the mean of a test that makes garbage and of one that makes none. Each runs for `ms` milliseconds.
(ms => {
  // A new process compiles the test first, and the page before may still be closing.
  const WARM_UP_MS = 14;
  const rate = (iterations, start) => iterations / 10 / ((performance.now() - start) / 1000);
  const withGarbage = ms => {
    const start = performance.now();
    let iterations = 0;
    while (performance.now() - start < ms) {
      let text = '';
      for (let index = 0; index < 10000; index += 1) text += 'a';
      if (text.length === 1) throw new Error('never, but the loop is not optimized away');
      iterations += 1;
    }
    return rate(iterations, start);
  };
  const one = [];
  const other = [];
  for (let index = 0; index < 100000; index += 1) one[index] = other[index] = index;
  const withoutGarbage = ms => {
    const start = performance.now();
    let iterations = 0;
    while (iterations % 10 !== 0 || performance.now() - start < ms) {
      const from = iterations % 2 === 0 ? one : other;
      const to = iterations % 2 === 0 ? other : one;
      for (let index = 0; index < from.length; index += 1) to[index] = from[index];
      iterations += 1;
    }
    return rate(iterations, start);
  };
  const index = test => {
    test(WARM_UP_MS);
    return test(ms);
  };
  return Math.round((index(withGarbage) + index(withoutGarbage)) / 2);
})
