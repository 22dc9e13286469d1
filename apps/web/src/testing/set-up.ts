import { configure } from '@testing-library/react'

/** jsdom has no layout to observe. */
class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// A busy machine may take seconds to draw; what never comes still fails.
configure({ asyncUtilTimeout: 10_000 })
globalThis.ResizeObserver ??= NoResize
Element.prototype.scrollIntoView ??= () => undefined
