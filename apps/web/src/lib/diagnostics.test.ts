import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { clearLog, installDiagnostics, logEvent, logStore } from './diagnostics.ts'

const KEY = 'catenary.log'
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown[]
const leave = () => window.dispatchEvent(new Event('pagehide'))

beforeAll(() => {
  // Somebody who logged out in a test before this one is still about to leave the page.
  leave()
  installDiagnostics()
})
beforeEach(() => clearLog())
afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

function click(html: string, selector: string): void {
  document.body.innerHTML = html
  document.querySelector<HTMLElement>(selector)?.click()
}

test('The log keeps 1000 entries.', () => {
  for (let number = 1; number <= 1_005; number += 1) logEvent('count', { number })
  expect(logStore.getSnapshot()).toHaveLength(1000)
  expect(logStore.getSnapshot()[0]).toMatchObject({ level: 'info', event: 'count', data: { number: 6 } })
  leave()
  expect(stored()).toHaveLength(1000)
  logEvent('after')
  expect(logStore.getSnapshot()).toHaveLength(1000)
  expect(logStore.getSnapshot().at(-1)).toMatchObject({ event: 'after' })
})

test('another tab’s entries stay, and are passed to listeners', () => {
  localStorage.setItem(KEY, JSON.stringify([{ at: 'then', level: 'warn', event: 'theirs' }]))
  const listener = vi.fn()
  const stop = logStore.subscribe(listener)
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
  expect(listener).toHaveBeenCalledOnce()
  logEvent('ours')
  leave()
  stop()
  expect(stored()).toMatchObject([{ event: 'theirs' }, { event: 'ours' }])
})

test.each(['data-prompt-id', 'data-variable-name', 'data-category-id', 'data-tag-id'])(
  'Clicks on elements with data attributes of a prompt, variable, category or tag are logged. (%s)',
  (name) => {
    click(`<div ${name}="7" class="x"><button><i></i></button></div>`, 'i')
    expect(logStore.getSnapshot()).toMatchObject([{ level: 'debug', event: 'click', data: { [name]: '7' } }])
  },
)

test('of nested elements the inner one is noted, whole; other clicks are not', () => {
  click('<div data-prompt-id="1"><b data-tag-id="2" data-tag-name="x" data-state="on"></b></div>', 'b')
  expect(logStore.getSnapshot().map(({ data }) => data)).toEqual([
    { 'data-tag-id': '2', 'data-tag-name': 'x' },
  ])
  click('<div data-state="open"><b></b></div>', 'b')
  expect(logStore.getSnapshot()).toHaveLength(1)
})

test('an uncaught error is noted', () => {
  window.dispatchEvent(new ErrorEvent('error', { message: 'boom', filename: '/assets/a.js', lineno: 3 }))
  expect(logStore.getSnapshot()).toMatchObject([
    { level: 'error', event: 'uncaught', data: { message: 'boom' } },
  ])
})

test('long, circular and broken data does no harm', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  logEvent('long', { text: 'x'.repeat(5000) })
  logEvent('circular', circle)
  logEvent('none')
  const [long, circular, none] = logStore.getSnapshot()
  expect(String(long?.data)).toHaveLength(2001)
  expect(circular?.data).toBe('[object Object]')
  expect(none).not.toHaveProperty('data')
  localStorage.setItem(KEY, '{"not":"a list"}')
  leave()
  expect(stored()).toHaveLength(3)
})

test('where the browser refuses to store, the page keeps its own', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  logEvent('kept')
  leave()
  expect(logStore.getSnapshot()).toMatchObject([{ event: 'kept' }])
})
