/** Whether the last step in the browser's history was Back or Forward. */
let cameBack = false

/** Listens before the router does: it draws a page in answer to a step before later listeners hear of that. */
export function watchHistorySteps(): void {
  // The router's own notification of a step.
  for (const event of ['popstate', 'pushState', 'replaceState']) {
    window.addEventListener(event, () => {
      cameBack = event === 'popstate'
    })
  }
}

export const isFromHistory = (): boolean => cameBack
