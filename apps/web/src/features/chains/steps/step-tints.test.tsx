import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { ChainLoader } from '../chain-loader.tsx'
import { ChainPage } from '../chain-page.tsx'
import { show } from '../testing/show.tsx'
import { stubChainApi } from '../testing/stub-chain-api.ts'

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ticket = makeStep({
  id: 1,
  title: 'Sort',
  outputVariableName: 'ticket',
  output: { type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } },
})
const letter = makeStep({ id: 2, title: 'Write', outputVariableName: 'letter' })
const TEXT = 'To $<who>: {{ticket.title}}, {{letter}}, {{letter.title}}'
const TINTED = ['$<who>', '{{ticket.title}}', '{{letter}}']
const reader = makeStep({
  id: 3,
  title: 'Read',
  content: TEXT,
  systemPrompt: `You are asked. ${TEXT}`,
  messages: [
    { role: 'user', content: TEXT },
    { role: 'assistant', content: 'Noted.' },
  ],
})

async function showPage({ canEdit }: { canEdit: boolean }) {
  const chain = makeChain({ canEdit, steps: [ticket, letter, reader] })
  stubChainApi({ 'GET /api/chains/12': () => Response.json(chain) })
  show(
    <ChainLoader
      id={12}
      render={(shown) => (
        <ChainPage
          chain={shown}
          renderApiAccess={() => null}
          onDeleted={() => undefined}
          onDuplicated={() => undefined}
        />
      )}
    />,
  )
  return screen.findByRole('article', { name: 'Read' })
}

/** The references that stand out, in each text of the element. */
const tintsIn = (element: HTMLElement) =>
  [...element.querySelectorAll('.prompt-text')].map((text) =>
    [...text.querySelectorAll('.bg-ref-soft, .bg-out-soft')].map(({ textContent }) => textContent),
  )

test.each([{ canEdit: true }, { canEdit: false }])(
  'A field of an output in JSON is tinted as one reference, in the editor, on cards and in a step that is read. (%o)',
  async (may) => {
    const card = await showPage(may)
    expect(tintsIn(card)).toEqual([TINTED])
  },
)

test('so it is in the content, the turns and the system prompt of a step that is read', async () => {
  const card = await showPage({ canEdit: false })
  await userEvent.click(within(card).getByRole('button', { name: 'Read' }))
  const dialog = await screen.findByRole('dialog', { name: 'Read' })
  expect(tintsIn(dialog)).toEqual([TINTED, TINTED, TINTED])
})
