let cameBack = false

/** Listens before the router does: the router draws a page for a step before later listeners are notified. */
export function watchHistorySteps(): void {
  // The router's own notification of a step.
  for (const event of ['popstate', 'pushState', 'replaceState']) {
    window.addEventListener(event, () => {
      cameBack = event === 'popstate'
    })
  }
}

export const isFromHistory = (): boolean => cameBack
