import type { Evaluation } from '@catenary/contracts'
import { expect, test, vi } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import { startEvaluationLab, wordCases } from '../../testing/evaluations.ts'

const WORDS = Array.from({ length: 20 }, (_, index) => `word-${index}`)
const statusesOf = ({ cells }: Evaluation) => cells.map(({ status }) => status)

test.each(databaseKinds)(
  'when a process ends the next one takes its cells, and runs no completed one again, on %s',
  async (kind) => {
    // On a server the calls at once are those of both processes.
    const modelCallsAtOnce = kind === 'server' ? 16 : 8
    const lab = await startEvaluationLab(kind, {}, { role: 'web', modelCallsAtOnce })
    const prompt = await lab.makePrompt(1)
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(WORDS))
    const targets = [{ version: 1, model: 'openai' as const }]
    const hold = Promise.withResolvers<void>()
    lab.fake.replyByDefault(() =>
      lab.fake.journal.length > 9 ? { text: 'word', beforeAnyByte: () => hold.promise } : { text: 'word' },
    )
    const { id } = await lab.evaluate({ suiteId: suite.id, targets })
    expect(statusesOf(await lab.find(id)).every((status) => status === 'waiting')).toBe(true)
    const first = await lab.startProcess({ role: 'worker' })
    await first.app.start()
    await vi.waitFor(() => expect(lab.fake.journal).toHaveLength(15))
    await vi.waitFor(async () =>
      expect(statusesOf(await lab.find(id)).filter((status) => status === 'failed')).toHaveLength(9),
    )
    const completed = lab.sent().slice(0, 9)
    await first.close()
    hold.resolve()
    const second = await lab.startProcess({ role: 'worker' })
    await second.app.start()
    const ended = await lab.settled(id)
    expect(ended.status).toBe('completed')
    expect(new Set(ended.cells.map(({ executionId }) => executionId)).size).toBe(WORDS.length)
    const sent = lab.sent()
    for (const text of completed) expect(sent.filter((one) => one === text)).toHaveLength(1)
    // Each of the six that were under way is asked for once more.
    expect(sent).toHaveLength(WORDS.length + 6)
    await second.close()
    await lab.close()
  },
)
