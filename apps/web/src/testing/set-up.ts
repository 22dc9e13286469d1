import { configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { setViewerTimeZone } from '../lib/time-zone.ts'
import { dismissToast, toastStore } from '../lib/toast.ts'

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

// Suites share their modules: what one was told, and whose zone it read times in, is not left to the next.
afterEach(() => {
  setViewerTimeZone(null)
  sessionStorage.clear()
  for (const { id } of toastStore.getSnapshot()) dismissToast(id)
})
