/** Runs in the browser: tells the page of ours that opened this window, and closes it. */
export function notifyOpener(type: string): void {
  const { opener } = window
  if (!opener) return
  opener.postMessage({ type }, location.origin)
  window.close()
}
