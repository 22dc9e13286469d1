import type { ChainVersion, ListedChainVersion, VersionLabels } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import ChainVersionsDialog from './chain-versions-dialog.tsx'

const onClose = vi.fn()
const chain = makeChain({ version: 2 })
const RESTORE = 'POST /api/chains/12/versions/1/restore'
const listed: ListedChainVersion[] = [makeListed({ number: 2, note: 'Counts first' }), makeListed()]
const labels: VersionLabels = { latest: 2, labels: [], canMove: true, protected: [] }
const collect = makeStep({ id: 1, title: 'Collect', outputVariableName: 'tickets' })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function makeListed(fields: Partial<ListedChainVersion> = {}): ListedChainVersion {
  const createdAt = '2026-05-01T10:00:00.000Z'
  return { number: 1, name: 'Digest', note: '', author: 'ada', createdAt, stepCount: 2, ...fields }
}

function makeWhole(fields: Partial<ChainVersion> = {}): ChainVersion {
  const { stepCount: _, ...version } = makeListed()
  return {
    ...version,
    description: '',
    stopsWithoutValue: 'unwatched',
    stopsWhenCut: 'unwatched',
    steps: [collect],
    ...fields,
  }
}

async function openVersions(answers: Parameters<typeof stubChainApi>[0] = {}) {
  const later = makeWhole({
    number: 2,
    name: 'Monday digest',
    steps: [
      makeStep({ id: 2, title: 'Count', outputVariableName: 'counts', content: 'Count.' }),
      { ...collect, content: 'Group {{counts}}.', model: 'gemini' },
    ],
  })
  const sent = stubChainApi({
    'GET /api/chains/12/versions': () => Response.json(listed),
    'GET /api/chains/12/versions/1': () => Response.json(makeWhole()),
    'GET /api/chains/12/versions/2': () => Response.json(later),
    'GET /api/chains/12/labels': () => Response.json(labels),
    ...answers,
  })
  show(<ChainVersionsDialog chain={chain} onClose={onClose} />)
  await screen.findByRole('list', { name: 'Steps that changed' })
  return sent
}

const restore = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Restore version 1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
}

test('Two versions of a chain are compared by steps and settings, in words.', async () => {
  await openVersions()
  const steps = within(screen.getByRole('list', { name: 'Steps that changed' }))
  const heads = steps.getAllByRole('heading', { level: 3 }).map((head) => head.textContent)
  expect(heads).toEqual(['1Countcountsadded', '2Collectticketschanged'])
  expect(steps.getByText('Claude').tagName).toBe('DEL')
  expect(steps.getByText('Gemini').tagName).toBe('INS')
  expect(steps.getByRole('region', { name: 'Differences: Content of tickets' })).toBeTruthy()
  expect(screen.getByText('Monday digest', { selector: 'ins' })).toBeTruthy()
})

test('A version of a chain can be restored.', async () => {
  const sent = await openVersions({ [RESTORE]: () => Response.json(makeChain({ version: 3 })) })
  await restore()
  await screen.findByText('Version 1 is back, as version 3.')
  expect(writesOf(sent)).toEqual([{ key: RESTORE, body: { revision: 4 } }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('someone else saved first: both are shown, and restoring goes over theirs', async () => {
  const theirs = makeChain({ name: 'Theirs', revision: 8 })
  const sent = await openVersions({
    [RESTORE]: [
      () => Response.json({ error: 'Changed', details: theirs }, { status: 409 }),
      () => Response.json(makeChain({ version: 4 })),
    ],
  })
  await restore()
  const conflict = within(await screen.findByRole('alert', { name: 'Conflicting changes' }))
  expect(conflict.getByLabelText('Name: Version 1')).toHaveProperty('value', 'Digest')
  expect(conflict.getByLabelText('Steps: Saved now')).toHaveProperty('value', '1 Collect\n2 Count\n3 Write')
  await userEvent.click(conflict.getByRole('button', { name: 'Restore version 1' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(sent).map(({ body }) => body)).toEqual([{ revision: 4 }, { revision: 8 }])
})
