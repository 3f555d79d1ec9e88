// Runs in a world that the page cannot see. An image that the page has loaded is complete at once; others are not awaited.
// Images of vectors may have no size of their own, and are then as large as their box.
(urls) => urls.map((url) => {
  const [entry] = performance.getEntriesByName(url, 'resource');
  const type = entry ? entry.contentType ?? '' : /^data:([^;,]*)/.exec(url)?.[1] ?? '';
  if (!type.startsWith('image/') || type.startsWith('image/svg')) return [0, 0];
  const image = new Image();
  image.src = url;
  const size = image.complete ? [image.naturalWidth, image.naturalHeight] : [0, 0];
  image.src = '';
  return size;
})
