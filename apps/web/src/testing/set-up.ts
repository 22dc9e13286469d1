import { configure } from '@testing-library/react'
import { afterEach } from 'vitest'
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

// Suites share their modules: what one was told is not shown to the next.
afterEach(() => {
  for (const { id } of toastStore.getSnapshot()) dismissToast(id)
})
