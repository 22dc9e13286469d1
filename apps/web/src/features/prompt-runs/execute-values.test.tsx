import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  answer,
  executeButton,
  fakeServer,
  makeTone,
  openExecutePage as open,
  reply,
} from './testing/open-execute-page.tsx'

const origin = {
  type: 'text',
  variableId: 1,
  revision: 1,
  source: null,
  at: '2026-11-02T00:00:00.000Z',
  cachedAt: null,
  error: null,
}

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('The form says whose value a name will be (D52).', async () => {
  const rivals = [
    makeTone({ id: 2, name: 'customer', owner: 'grace', content: 'Grace’s' }),
    makeTone({ id: 3, name: 'Customer', owner: 'root', ownerIsAdmin: true, content: 'the house’s' }),
    makeTone({ id: 4, name: 'TONE', owner: 'root', ownerIsAdmin: true, content: 'cold' }),
  ]
  const variables = [makeTone(), ...rivals, makeTone({ id: 5, name: 'place', owner: 'linus' })]
  open({ content: '$<tone> $<customer> $<place>' }, { variables })
  const kindOf = (name: string) => {
    const field = screen.getByLabelText<HTMLTextAreaElement>(name)
    const kind = field.getAttribute('aria-describedby') ?? ''
    return [field.value, document.getElementById(kind)?.textContent?.trim()]
  }
  await waitFor(() => expect(kindOf('tone')).toEqual(['warm', 'text']))
  expect(kindOf('customer')).toEqual(['the house’s', 'text · from root, admin'])
  expect(kindOf('place')).toEqual(['warm', 'text · from linus'])
  await userEvent.type(screen.getByLabelText('place'), 'er')
  expect(kindOf('place')).toEqual(['warmer', 'text · use the stored value'])
})

test('A value that the run will lack is named before the run is paid for, and again with the answer.', async () => {
  const rates = makeTone({ id: 6, name: 'rates', type: 'api', content: '', apiUrl: 'https://example.org/' })
  server.contents.set('rates', { error: 'The address answered with status 500' })
  open({ content: '$<tone> $<customer> $<rates>' }, { variables: [makeTone(), rates] })
  const button = () => executeButton().textContent
  await screen.findByText('Error loading content: The address answered with status 500')
  expect(button()).toContain('Execute without 2 values')
  expect(screen.getByText('not in the library')).toBeTruthy()
  expect(screen.getByText('API · no value')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('rates'), '1.1')
  expect(button()).toContain('Execute without customer')
  await userEvent.click(executeButton())
  const failed = { ...origin, error: 'It rests' }
  await server.say('done', { ...reply, resolved: { tone: origin, late: failed } })
  const note = await within(answer()).findByRole('note')
  expect(note.textContent).toBe(
    'Sent without values for customer, late: the references were left as written.',
  )
  await userEvent.click(screen.getByRole('tab', { name: 'Prompt' }))
  await userEvent.type(screen.getByLabelText('customer'), 'Ada')
  expect(button()).toMatch(/^Execute(?! without)/)
})

test('The form of a run marks private values that others’ texts take ‘yours, private’, and executing lets them in.', async () => {
  const variables = [
    makeTone(),
    makeTone({ id: 2, name: 'client' }),
    makeTone({ id: 3, name: 'house', isPublic: true }),
  ]
  open({ content: '$<tone> $<Client> $<house>', othersNames: ['client', 'house'] }, { variables })
  const kindOf = (name: string) => {
    const kind = screen.getByLabelText(name).getAttribute('aria-describedby') ?? ''
    return document.getElementById(kind)?.textContent?.trim()
  }
  await waitFor(() => expect(kindOf('Client')).toBe('text· yours, private'))
  expect([kindOf('tone'), kindOf('house')]).toEqual(['text', 'text'])
  await userEvent.click(executeButton())
  expect(server.runs[0]?.body).toMatchObject({ promptId: 7, fills: ['Client'] })
})

test('what is typed in place of a private value is sent, and lets nothing in', async () => {
  open({ content: '$<tone>', othersNames: ['tone'] })
  await userEvent.type(await screen.findByLabelText('tone'), 'er')
  await userEvent.click(executeButton())
  expect(server.runs[0]?.body).toMatchObject({ variableValues: { tone: 'warmer' } })
  expect(server.runs[0]?.body).not.toHaveProperty('fills')
})

test('Enter in a value of one line leads to the next, from the last to Execute; a value of several lines keeps its Enter.', async () => {
  open({ content: '$<tone> $<customer> $<place>' })
  const field = (name: string) => screen.getByLabelText<HTMLTextAreaElement>(name)
  await userEvent.type(field('customer'), 'Ada{Enter}')
  expect(document.activeElement).toBe(field('place'))
  await userEvent.keyboard('Quay 4{Shift>}{Enter}{/Shift}Bristol{Enter}')
  expect(field('place').value).toBe('Quay 4\nBristol\n')
  await userEvent.clear(field('place'))
  await userEvent.keyboard('Bristol{Enter}')
  expect(document.activeElement).toBe(executeButton())
  expect(field('customer').value).toBe('Ada')
  expect(server.runs).toEqual([])
})
