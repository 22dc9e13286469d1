import { expect, test } from 'vitest'
import { createDataDirectory } from '../../testing/database.ts'
import { runInPrivateNetwork } from '../../testing/hostile-network/private-network.ts'
import type { SilentNames } from '../../testing/hostile-network/silent-names.program.ts'

const PROGRAM = new URL('../../testing/hostile-network/silent-names.program.ts', import.meta.url)
const TIMEOUT_MS = 120_000

test(
  'another person’s model answers while forty variables wait for a name server that stays silent',
  async () => {
    const outcome = (await runInPrivateNetwork(PROGRAM, [await createDataDirectory()])) as SilentNames
    expect(outcome).toEqual({ result: expect.stringMatching(/./), ended: 0, asked: expect.any(Number) })
    expect(outcome.asked).toBeGreaterThanOrEqual(4)
    expect(outcome.asked).toBeLessThanOrEqual(16)
  },
  TIMEOUT_MS,
)
