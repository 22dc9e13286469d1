import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readZip } from './testing/open-export.ts'
import { writeZip } from './write-zip.ts'

/** Files without end, of texts that don’t pack well. */
function endless() {
  const state = { written: 0, isEnded: false }
  async function* files() {
    try {
      for (;;) {
        state.written += 1
        const text = Array.from({ length: 5_000 }, (_, n) =>
          ((n * 7919 * state.written) % 1_000_003).toString(36),
        )
        yield { path: `prompts/p${state.written}.md`, text: text.join('') }
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, files }
}

test('no more is read than the reader takes, and one who leaves ends it', async () => {
  const { state, files } = endless()
  const zip = writeZip(files())
  const iterator = zip[Symbol.asyncIterator]()
  await iterator.next()
  await wait(200)
  const before = state.written
  await wait(200)
  expect(state.written).toBe(before)
  expect(before).toBeLessThan(50)
  zip.destroy()
  for (let tries = 0; tries < 100 && !state.isEnded; tries += 1) await wait(20)
  expect(state.isEnded).toBe(true)
})

test('what fails while it is written breaks the file off', async () => {
  async function* files() {
    yield { path: 'prompts/a.md', text: 'A' }
    throw new Error('The database is away')
  }
  const read = async () => {
    for await (const _ of writeZip(files()));
  }
  await expect(read()).rejects.toThrow('The database is away')
})

test('the same files are the same bytes, at whatever time', async () => {
  async function* files() {
    yield { path: 'prompts/a.md', text: 'Ä' }
  }
  const bytes = async () => Buffer.concat(await Array.fromAsync(writeZip(files()) as AsyncIterable<Buffer>))
  const first = await bytes()
  await wait(2_100)
  expect((await bytes()).equals(first)).toBe(true)
  expect(await readZip(first)).toEqual({ 'prompts/a.md': 'Ä' })
})
