import type { Chain, StoredFile } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import { makeToolStep } from '../testing/make-tool-step.ts'
import { show } from '../testing/show.tsx'
import { type SentRequest, stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import { useChainRun } from './use-chain-run.ts'
import { useRunRequest } from './use-run-request.tsx'

const HELD = {
  fileId: 7,
  fileName: 'login-500.png',
  mediaType: 'image/png',
  width: 1440,
  height: 900,
  bytes: 212_000,
} as const
const CHOSEN: StoredFile = { ...HELD, fileId: 8, fileName: 'other.png', filePath: 'uploads/1_other.png' }
const shot = makeVariable({ id: 3, name: 'shot', type: 'image', attachment: HELD, revision: 2 })
const terms = makeVariable({ id: 4, name: 'terms', type: 'document', attachment: null })
const steps = [
  makeStep({ id: 1, content: 'See $<shot>.' }),
  makeStep({ id: 2, content: '$<shot> and $<terms>' }),
]
const chain = makeChain({ steps })

function Page({ shown = chain }: { shown?: Chain }) {
  const running = useChainRun(shown)
  const { ask, dialog } = useRunRequest({
    chain: shown,
    steps: shown.steps,
    warnings: [],
    waysOut: () => ({}),
    running,
  })
  return (
    <>
      <button type="button" onClick={() => ask()}>
        Run
      </button>
      {dialog}
    </>
  )
}

let sent: SentRequest[]
let store: () => Response | Promise<Response>
beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
  store = () => Response.json(CHOSEN, { status: 201 })
  sent = stubChainApi({
    'POST /api/files': () => store(),
    'POST /api/chains/12/execute': () => Response.json({ id: 218 }, { status: 201 }),
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const runs = () => writesOf(sent).filter(({ key }) => key.endsWith('/execute'))
async function open() {
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, [shot, terms])
  show(<Page />, queryClient)
  await userEvent.click(screen.getByRole('button', { name: 'Run' }))
  return within(await screen.findByRole('dialog', { name: 'Execute Chain' }))
}
const execute = () => userEvent.click(screen.getByRole('button', { name: /^Execute Chain/ }))
const choose = (name: string) =>
  fireEvent.change(screen.getByLabelText(`${name}: file to upload`), {
    target: { files: [new File([new Uint8Array([1])], 'other.png', { type: 'image/png' })] },
  })

test('A chain that is run by hand asks for the images and PDFs that its steps name; what is chosen holds for all steps of that run.', async () => {
  const dialog = await open()
  expect(dialog.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'shot',
    'terms',
  ])
  const field = dialog.getByRole('region', { name: 'shot' })
  expect(within(field).getByText('login-500.png')).toBeTruthy()
  expect(field.querySelector('img')?.getAttribute('src')).toBe('/api/variables/3/file?revision=2')
  expect(dialog.getByText('Drop or paste a PDF here')).toBeTruthy()
  await execute()
  await waitFor(() => expect(runs()).toHaveLength(1))
  expect(runs()[0]?.body).toEqual({})
})

test('one chosen for this run alone is sent by its key', async () => {
  const dialog = await open()
  choose('shot')
  expect(await dialog.findByText('other.png')).toBeTruthy()
  await execute()
  await waitFor(() => expect(runs()).toHaveLength(1))
  expect(runs()[0]?.body).toEqual({ variableValues: { shot: CHOSEN.filePath } })
})

test('the run waits for what is still being kept', async () => {
  const kept = Promise.withResolvers<Response>()
  store = () => kept.promise
  const dialog = await open()
  choose('shot')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Execute Chain/ })
  await waitFor(() => expect(button.disabled).toBe(true))
  kept.resolve(Response.json(CHOSEN, { status: 201 }))
  await dialog.findByText('other.png')
  await waitFor(() => expect(button.disabled).toBe(false))
})

test('The form of a chain’s run names private values that others’ steps take first.', async () => {
  const variables = [
    makeVariable({ id: 5, name: 'Client', isPublic: false }),
    makeVariable({ id: 6, name: 'key', isPublic: false, owner: 'grace' }),
    makeVariable({ id: 7, name: 'house' }),
  ]
  const othersNames = ['client', 'key', 'house', 'unknown']
  const step = makeStep({ content: '$<client> $<key> $<house> $<unknown>', othersNames })
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, variables)
  show(<Page shown={makeChain({ steps: [step] })} />, queryClient)
  await screen.findByRole('button', { name: 'Run' })
  // Whose they are is known once it is known who is signed in.
  await waitFor(() => expect(sent.some(({ key }) => key === 'GET /api/user')).toBe(true))
  await userEvent.click(screen.getByRole('button', { name: 'Run' }))
  const note = await screen.findByRole('note', { name: 'Private values' })
  expect(note.textContent).toMatch(/^Yours, private: client\. You didn’t add this name to the chain\./)
  await execute()
  await waitFor(() => expect(runs().map(({ body }) => body)).toEqual([{ fills: ['client'] }]))
})

test('The form of a run lists who would see its private values: it begins once each place is allowed, those of before ticked.', async () => {
  const send = { chainId: 12, kind: 'ask', groups: [], role: null, isConfirmed: true }
  const found = [
    { ...send, destination: 'first', position: 1, title: 'Ana approves', people: ['ana'] },
    {
      ...send,
      destination: 'second',
      position: 3,
      title: 'Leads approve',
      people: [],
      groups: [{ name: 'Support leads', memberCount: 4, leaders: ['ines'] }],
      role: { role: 'editor', count: 2 },
      isConfirmed: false,
    },
  ]
  const refusal = { error: 'Allow it first', code: 'value_would_leave', details: [{ destination: 'second' }] }
  const replies = [Response.json(refusal, { status: 409 }), Response.json({ id: 218 }, { status: 201 })]
  sent = stubChainApi({
    'GET /api/chains/12/sends': () => Response.json(found),
    'POST /api/chains/12/execute': () => replies.shift() ?? Response.error(),
  })
  const asks = makeStep({ id: 1, kind: 'ask', model: null, content: '' })
  show(<Page shown={makeChain({ steps: [asks] })} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
  const places = await screen.findByRole('region', { name: 'Where your private values may go' })
  const [first, second] = within(places).getAllByRole<HTMLInputElement>('checkbox')
  expect([first?.checked, second?.checked]).toEqual([true, false])
  expect(within(places).getByText(/^Support leads \(4 people, led by ines\), its editors \(2\)/)).toBeTruthy()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Execute Chain/ })
  expect(button.disabled).toBe(true)
  await userEvent.click(second as HTMLInputElement)
  await execute()
  await waitFor(() => expect(runs().map(({ body }) => body)).toEqual([{ sends: ['first', 'second'] }]))
  // Refused, as another place came meanwhile: the form comes back.
  expect(await screen.findByRole('region', { name: 'Where your private values may go' })).toBeTruthy()
})

test('The form of a run names each service that would get its private values: method, address with its references, and headers.', async () => {
  const found = {
    ...{ chainId: 12, kind: 'http', destination: 'first', position: 1, title: 'Book it', isConfirmed: false },
    ...{
      method: 'POST',
      address: 'https://shop.example.org/v1/{{order}}',
      headers: ['Authorization', 'X-Team'],
    },
  }
  sent = stubChainApi({ 'GET /api/chains/12/sends': () => Response.json([found]) })
  show(<Page shown={makeChain({ steps: [makeToolStep()] })} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
  const places = await screen.findByRole('region', { name: 'Where your private values may go' })
  expect(within(places).getByRole('listitem').textContent).toBe(
    'POST shop.example.org/v1/{{order}} Newstep 2called in “Book it”, with the headers Authorization and X-Team',
  )
})
