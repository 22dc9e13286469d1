import { configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach } from 'vitest'
import { PATIENCE_MS } from '../../../../scripts/testing/patience.ts'
import { offerByHand } from '../components/copy/copied-by-hand.ts'
import { answer, type ReaderRequest } from '../components/reader/reader-tasks.ts'
import { noteServer } from '../lib/session/server-away.ts'
import { setViewerTimeZone } from '../lib/time-zone.ts'
import { dismissToast, toastStore } from '../lib/toast.ts'

const FRAME_MS = 16

/** jsdom has no layout to observe. */
class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Nor has it workers: what would read apart reads here. */
class NoWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  postMessage(request: ReaderRequest) {
    void answer(request, (data) => this.onmessage?.({ data: structuredClone(data) }))
  }
  terminate() {
    this.onmessage = null
  }
}

// A busy machine may take seconds to draw; what never comes still fails.
configure({ asyncUtilTimeout: PATIENCE_MS })
// For its warnings React keeps a stack of each element until it has kept enough; a fifth of the suites' time went there.
const internals = Object.entries(React).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1]
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 1e9, set: () => {} })
globalThis.ResizeObserver ??= NoResize
globalThis.Worker ??= NoWorker as unknown as typeof Worker
Element.prototype.scrollIntoView ??= () => undefined
// jsdom draws all frames by one interval, which a suite with a fake clock can take along: then none is ever drawn again.
globalThis.requestAnimationFrame = (draw) => Number(setTimeout(() => draw(performance.now()), FRAME_MS))
globalThis.cancelAnimationFrame = (frame) => clearTimeout(frame)

// Suites share their modules: toasts, the time zone and whether the server answers must not leak into the next.
afterEach(() => {
  setViewerTimeZone(null)
  noteServer(true)
  offerByHand(null)
  sessionStorage.clear()
  for (const { id } of toastStore.getSnapshot()) dismissToast(id)
})
