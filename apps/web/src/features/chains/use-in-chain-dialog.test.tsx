import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '../../lib/toast.ts'
import { makeChain, makeListedChain, makeStep } from '../../testing/make-chain.ts'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'
import UseInChainDialog from './use-in-chain-dialog.tsx'

const prompt = { id: 7, title: 'Launch mail', content: 'Write it.' }
const STEPS = 'POST /api/chains/3/steps'
const onShowChain = vi.fn()
const onClose = vi.fn()

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** Opens the dialog over a chain of one's own and one of somebody else; gives what is sent. */
async function open(answers: Parameters<typeof stubChainApi>[0]) {
  const last = makeStep({ position: 4, outputVariableName: 'Launch_mail' })
  const listed = [
    makeListedChain({ id: 3, name: 'Launch' }),
    makeListedChain({ id: 4, name: 'Theirs', canEdit: false }),
  ]
  const sent = stubChainApi({
    'GET /api/chains': () => Response.json(listed),
    'GET /api/chains/3': () => Response.json(makeChain({ id: 3, name: 'Launch', steps: [last] })),
    ...answers,
  })
  show(<UseInChainDialog prompt={prompt} model="gemini" onShowChain={onShowChain} onClose={onClose} />)
  await screen.findByRole('dialog', { name: 'Use in a chain' })
  return sent
}

const step = () => Response.json(makeStep({}), { status: 201 })

test('‘Use in a chain’ makes the prompt a step.', async () => {
  const sent = await open({ [STEPS]: step })
  await userEvent.click(await screen.findByLabelText('Chain'))
  expect(await screen.findByRole('option', { name: /^Launch/ })).toBeTruthy()
  expect(screen.queryByRole('option', { name: /Theirs/ })).toBeNull()
  await userEvent.click(screen.getByRole('option', { name: /^Launch/ }))
  await userEvent.click(screen.getByRole('button', { name: /^Add step/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const { title, content } = prompt
  const expected = { promptId: 7, title, content, model: 'gemini' }
  expect(writesOf(sent)).toEqual([
    { key: STEPS, body: { ...expected, position: 5, outputVariableName: 'launch_mail_2' } },
  ])
  const [shown] = toastStore.getSnapshot()
  expect(shown?.description).toBe('“Launch mail” is now step 2 of “Launch”.')
  shown?.action?.onPress()
  expect(onShowChain).toHaveBeenCalledWith(3)
})

test('a new chain is made once, also when its step is refused at first', async () => {
  const refuse = () => Response.json({ error: 'Too many steps' }, { status: 409 })
  const created = () => Response.json(makeChain({ id: 3, name: 'Launch mail' }), { status: 201 })
  const sent = await open({ 'POST /api/chains': created, [STEPS]: [refuse, step] })
  await userEvent.click(await screen.findByRole('button', { name: /^Add step/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to add step: Too many steps')
  await userEvent.click(screen.getByRole('button', { name: /^Add step/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(writesOf(sent).map(({ key }) => key)).toEqual(['POST /api/chains', STEPS, STEPS])
  expect(writesOf(sent)[0]?.body).toEqual({ name: 'Launch mail' })
})
