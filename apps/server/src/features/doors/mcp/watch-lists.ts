import type { ServerEvent } from '@modelcontextprotocol/server'
import { AppError } from '../../../errors.ts'
import type { Log } from '../../../platform/log/log.ts'

/** What is listed is looked at again this long after a change, and at most so often. */
const SETTLE_MS = 500
const LOOK_EACH_MS = 5_000

interface Fingerprints {
  prompts: string
  skills: string
  chains: string
}

const UNKNOWN: Fingerprints = { prompts: '?', skills: '?', chains: '?' }

interface Watched {
  read: () => Promise<Fingerprints>
  publish: (event: ServerEvent) => void
  log: Log
}

/** Publishes which lists have changed, whenever `look` was called and that has settled. */
export function watchLists({ read, publish, log }: Watched): { look: () => void; stop: () => void } {
  let known: Fingerprints | undefined
  /** Something changed before the first look was over: whether it shows in a list can't be told. */
  let isUncertain = false
  let waiting: NodeJS.Timeout | undefined
  let lookedAt = 0

  async function lookNow(): Promise<void> {
    waiting = undefined
    lookedAt = performance.now()
    try {
      const now = await read()
      if (known !== undefined) {
        tellChanges({ known: isUncertain ? UNKNOWN : known, now, publish })
        isUncertain = false
      }
      known = now
    } catch (error) {
      if (!(error instanceof AppError)) log.debug({ err: error }, 'changes could not be looked for')
    }
  }

  function look(): void {
    isUncertain ||= known === undefined
    const rest = isUncertain ? 0 : lookedAt + LOOK_EACH_MS - performance.now()
    waiting ??= setTimeout(() => void lookNow(), Math.max(SETTLE_MS, rest)).unref()
  }

  void lookNow()
  return { look, stop: () => clearTimeout(waiting) }
}

function tellChanges({
  known,
  now,
  publish,
}: {
  known: Fingerprints
  now: Fingerprints
  publish: (event: ServerEvent) => void
}): void {
  if (known.prompts !== now.prompts) publish({ kind: 'prompts_list_changed' })
  if (known.chains !== now.chains) publish({ kind: 'tools_list_changed' })
  if (known.skills !== now.skills) publish({ kind: 'resources_list_changed' })
}
