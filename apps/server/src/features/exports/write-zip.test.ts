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

/** What is counted, once it has stood still for 300 ms: on a busy machine the buffers fill slowly. */
async function atRest(count: () => number): Promise<number> {
  const seen = count()
  await wait(300)
  return count() === seen || seen >= 50 ? seen : atRest(count)
}

test('What is exported is read while it is sent: no more than the reader takes, and one who leaves ends it.', async () => {
  const { state, files } = endless()
  const zip = writeZip(files())
  const iterator = zip[Symbol.asyncIterator]()
  await iterator.next()
  expect(await atRest(() => state.written)).toBeLessThan(50)
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
