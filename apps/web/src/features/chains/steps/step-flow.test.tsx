import type { Chain, ChainStep } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => {
  localStorage.clear()
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const schema = {
  type: 'object',
  properties: { severity: { type: 'string', enum: ['low', 'high'] }, items: { type: 'array', items: {} } },
}
const triage = makeStep({ id: 1, outputVariableName: 'triage', output: { type: 'json', schema } })
const severe = { all: [{ ref: 'triage.severity', op: 'is' as const, value: 'high' }] }
const warn = makeStep({ id: 2, title: 'Warn', outputVariableName: 'warning', content: 'Warn of {{triage}}.' })
const last = makeStep({ id: 3, outputVariableName: 'answer', content: '{{triage}}' })

const region = makeVariable({ name: 'region' })
const stub = (answers: Parameters<typeof stubChainApi>[0] = {}) =>
  stubChainApi({ 'GET /api/variables': () => Response.json([region]), ...answers })

async function openStep({
  step = null,
  elseOf,
  steps = [triage, warn, last],
}: {
  step?: ChainStep | null
  elseOf?: ChainStep
  steps?: ChainStep[]
} = {}) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, [region])
  const chain: Chain = makeChain({ steps })
  show(
    <StepDialog chain={chain} step={step} elseOf={elseOf} userId={1} onClose={() => undefined} />,
    queryClient,
  )
  await screen.findByRole('dialog')
  await waitFor(() => expect(screen.getAllByRole('textbox').length).toBeGreaterThan(1))
  return within(screen.getByRole('dialog'))
}

const field = (name: string) => screen.getByRole('combobox', { name })
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('When a step runs is a sentence of three fields: a name that is completed, a comparison and a value, by keys alone.', async () => {
  const sent = stub({ 'PATCH /api/chains/12/steps/2': () => Response.json(warn) })
  const dialog = await openStep({ step: warn })
  dialog.getByRole('button', { name: 'When it runs: always' }).focus()
  await userEvent.keyboard('{Enter}')
  dialog.getByRole('radio', { name: 'Only if' }).focus()
  await userEvent.keyboard(' ')
  const name = field('Name in condition 1')
  name.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(options()).toEqual([
    'triagestep 1 · Step 1',
    'triage.severitytext',
    'triage.itemslist of value',
    'input_contextthe whole input of the run',
    'inputthe last user message',
    expect.stringMatching(/^region/),
  ])
  await userEvent.keyboard('sev{Enter}')
  expect(name).toHaveProperty('value', 'triage.severity')
  expect(options()).toEqual([])
  await userEvent.tab()
  expect(document.activeElement).toBe(field('Comparison in condition 1'))
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  expect(options()).toEqual(['low', 'high'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(dialog.getByRole('button', { name: 'When it runs: only if triage.severity is high' })).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Output when skipped'), 'none')
  await userEvent.click(dialog.getByRole('radio', { name: 'The run goes on' }))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({ onlyIf: severe, default: 'none', ifItFails: 'go_on' })
})

test('Escape closes the completion of a name before the form.', async () => {
  stub()
  const dialog = await openStep({ step: { ...warn, onlyIf: severe } })
  const name = field('Name in condition 1')
  await userEvent.clear(name)
  await userEvent.type(name, 'reg')
  expect(options()).toHaveLength(1)
  await userEvent.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(dialog.getByLabelText('Title')).toBeTruthy()
  expect(name).toHaveProperty('value', 'reg')
})

test('Conditions and groups of them are added, refused while they look at nothing, and removed; a name is taken without its braces.', async () => {
  const sent = stub({ 'PATCH /api/chains/12/steps/2': () => Response.json(warn) })
  const dialog = await openStep({ step: { ...warn, onlyIf: severe } })
  await userEvent.click(dialog.getByRole('button', { name: 'Add condition' }))
  expect(document.activeElement).toBe(field('Name in condition 2'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add group' }))
  expect(document.activeElement).toBe(field('Name in condition 3.1'))
  await userEvent.paste('{{input}}')
  expect(field('Name in condition 3.1')).toHaveProperty('value', 'input')
  await userEvent.type(field('Value in condition 3.1'), 'now')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText('Choose what to look at')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field('Name in condition 2')))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove condition 2' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toMatchObject({
    onlyIf: { all: [severe.all[0], { any: [{ ref: 'input', op: 'is', value: 'now' }] }] },
  })
})

test('Any of several conditions may be asked for, and a name compared with several values.', async () => {
  const sent = stub({ 'PATCH /api/chains/12/steps/2': () => Response.json(warn) })
  const onlyIf = { all: [...severe.all, { ref: 'region', op: 'is' as const, value: 'north' }] }
  const dialog = await openStep({ step: { ...warn, onlyIf } })
  await userEvent.click(field('Comparison in condition 2'))
  await userEvent.click(await screen.findByRole('option', { name: 'is none of' }))
  await userEvent.type(field('Value 1 in condition 2'), '{End}{Enter}south')
  const join = within(dialog.getByRole('radiogroup', { name: 'Conditions that must hold' }))
  await userEvent.click(join.getByRole('radio', { name: 'Any' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toMatchObject({
    onlyIf: {
      any: [severe.all[0], { ref: 'region', op: 'is_one_of', not: true, value: ['north', 'south'] }],
    },
  })
})

test('A condition that is taken away again leaves the step as it was, and a step without one is saved as before there was any.', async () => {
  const sent = stub({ 'PATCH /api/chains/12/steps/2': () => Response.json(warn) })
  const dialog = await openStep({ step: { ...warn, onlyIf: severe } })
  await userEvent.click(dialog.getByRole('button', { name: 'Remove condition 1' }))
  expect(dialog.getByRole('radio', { name: 'Always' }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({ onlyIf: null })
  expect(writesOf(sent)[0]?.body).not.toHaveProperty('kind')
  expect(writesOf(sent)[0]?.body).not.toHaveProperty('default')
})

test('‘Else’ begins a step with the opposite condition, right after the other.', async () => {
  const sent = stub({ 'POST /api/chains/12/steps': () => Response.json(last, { status: 201 }) })
  const conditional = { ...warn, onlyIf: severe }
  const dialog = await openStep({ elseOf: conditional, steps: [triage, conditional, last] })
  expect(dialog.getByText('Step 3 of “Monday digest”')).toBeTruthy()
  expect(
    dialog.getByRole('button', { name: 'When it runs: only if triage.severity is not high' }),
  ).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'calm')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({
    position: conditional.position,
    onlyIf: { any: [{ ref: 'triage.severity', op: 'is', not: true, value: 'high' }] },
  })
})

test('A step of kind Stop ends the run as completed or failed, with a text that names what a content may name.', async () => {
  const sent = stub({ 'POST /api/chains/12/steps': () => Response.json(last, { status: 201 }) })
  const dialog = await openStep()
  await userEvent.click(dialog.getByRole('radio', { name: /^Stop/ }))
  expect(dialog.queryByRole('combobox', { name: 'Model' })).toBeNull()
  expect(dialog.queryByLabelText('Output variable name')).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Advanced' })).toBeNull()
  await userEvent.type(dialog.getByLabelText('Title'), 'Nothing to do')
  await userEvent.click(dialog.getByRole('radio', { name: 'Failed' }))
  await userEvent.click(dialog.getByRole('button', { name: /Add Step/ }))
  expect(await dialog.findByText('Write what went wrong')).toBeTruthy()
  const text = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Error of the run' }))
  text?.dispatch({ changes: { from: 0, insert: 'Spam: {{triage.severity}} {{nobody}}' } })
  const warnings = await screen.findByRole('status', { name: 'Warnings' })
  await waitFor(() =>
    expect(warnings.textContent).toContain('No step produces {{nobody}}, so it stays as written.'),
  )
  await userEvent.click(dialog.getByRole('button', { name: /Add Step/ }))
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent)).toEqual([
    {
      key: 'POST /api/chains/12/steps',
      body: {
        kind: 'stop',
        title: 'Nothing to do',
        position: 3,
        model: null,
        stop: { outcome: 'failed', text: 'Spam: {{triage.severity}} {{nobody}}' },
      },
    },
  ])
})
