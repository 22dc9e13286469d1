import type { Chain } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { makeMailTool, makeStepTool } from '../../testing/step-tools.ts'
import { createToken, digestOf, folderOf } from '../doors/folders/testing/folder-library.ts'
import { importZip, openExport } from '../exports/testing/open-export.ts'

const kind = routeDatabaseKinds[0] ?? 'embedded'
const MAIL = makeMailTool({ to: ['ana@example.com', '{{input}}'] })
const LOSS = {
  at: expect.stringMatching(/^chains\/.+ › steps\[0\]$/),
  reason: 'Its email addresses are left empty: write whom the email goes to',
}
let library: Library
beforeAll(async () => {
  library = await startLibrary(kind)
})
afterAll(() => library.close())

async function makeChain(as: TestUser): Promise<Chain> {
  const { id } = await library.createChain(as, { name: 'Tell them' })
  for (const [position, tool] of [MAIL, makeStepTool()].entries())
    await library.createStep(as, id, {
      ...{ kind: 'tool', title: 'Tell', content: '', position, tool },
      outputVariableName: `out_${position}`,
    })
  return readChain(as, id)
}

const readChain = async (as: TestUser, id: number) =>
  (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
const toolsOf = ({ steps }: Chain) => steps.map(({ tool }) => tool)

test('A chain that is imported emails nobody before its addresses are written, and says so; its calls are as they were.', async () => {
  const author = await library.registerUser()
  await makeChain(author)
  const { files } = await openExport(library, author)
  const reader = await library.registerUser()
  const planned = await importZip(library, reader, { files }, { dryRun: true })
  expect(planned.losses).toEqual([LOSS])
  const done = await importZip(library, reader, { files })
  expect(done.losses).toEqual([LOSS])
  const [item] = done.items.filter((each) => each.kind === 'chain')
  const made = await readChain(reader, (item as { chainId: number }).chainId)
  expect(toolsOf(made)).toEqual([{ ...MAIL, to: [] }, makeStepTool()])
})

test('A duplicate and a pushed folder keep the addresses of their owner’s emails.', async () => {
  const person = await library.registerUser()
  const chain = await makeChain(person)
  const copied = await library.request({
    ...{ method: 'POST', url: `/api/chains/${chain.id}/duplicate`, as: person },
  })
  expect(toolsOf(copied.body as Chain)).toEqual([MAIL, makeStepTool()])
  const folder = folderOf(library, await createToken(library, person))
  const files = await folder.pull()
  const [path = '', text = ''] =
    Object.entries(files).find(([, each]) => each.includes('name: Tell them\n')) ?? []
  const pushed = text.replace('It is {{input}}.', 'It was {{input}}.')
  expect(pushed).not.toBe(text)
  expect(await folder.push([{ name: path, text: pushed, base: digestOf(text) }])).toMatchObject({
    written: true,
  })
  expect(toolsOf(await readChain(person, chain.id))[0]).toEqual({ ...MAIL, text: 'It was {{input}}.' })
})
