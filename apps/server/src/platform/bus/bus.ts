import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Log } from '../log/log.ts'

export interface Bus {
  /** Whether what this process sends is carried and it hears what is sent to it, as far as the last probe tells. */
  readonly isUp: boolean
  /** Why it is away; never with a password. */
  readonly problem: string | undefined
  readonly self: string
  /** Whether the process of that name was there to hear it. */
  send(to: string, payload: string): Promise<boolean>
  onMessage(handle: (payload: string) => void): void
  onChange(handle: () => void): void
  close(): void
}

const PROBE_MS = 1_000
const MISSED_PROBES = 3
/** A thread that stalls for a second should not take an overdue answer for a missing one. */
const ANSWER_MS = 3_000
const CONNECT_MS = 3_000
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [50, 2_000]
/** Begins the name of each channel, for those who give a user rights. */
const CHANNELS = 'catenary:'
const PROBE = 'probe '

export function connectBus({ url, log }: { url: string; log: Log }): Bus {
  const self = randomUUID()
  const channel = `${CHANNELS}${self}`
  const sender = connect(url)
  const hearer = connect(url)
  const state = { isUp: false, problem: undefined as string | undefined, missed: 0, isClosed: false }
  const messageHandlers = new Set<(payload: string) => void>()
  const changeHandlers = new Set<() => void>()

  function turn(isUp: boolean): void {
    if (state.isUp === isUp || state.isClosed) return
    state.isUp = isUp
    if (isUp) log.info('the bus carries the text of runs')
    else log.warn({ reason: state.problem }, 'the bus is away: the text of runs goes by the database')
    for (const handle of changeHandlers) handle()
  }

  function fail(problem: string): void {
    if (state.problem === undefined && !state.isUp && !state.isClosed)
      log.warn({ reason: problem }, 'the bus can’t be used: the text of runs goes by the database')
    state.problem = problem
    turn(false)
  }

  for (const client of [sender, hearer]) {
    client.on('error', (error: Error) => fail(explain(error)))
    client.on('close', () => fail(state.problem ?? 'the connection ended'))
  }
  hearer.on('ready', () => {
    state.missed = 0
    hearer.subscribe(channel).then(probe, (error: Error) => fail(explain(error)))
  })
  sender.on('ready', () => {
    state.missed = 0
    probe()
  })
  hearer.on('message', (_channel: string, payload: string) => {
    if (!payload.startsWith(PROBE)) {
      for (const handle of messageHandlers) handle(payload)
      return
    }
    state.missed = 0
    state.problem = undefined
    turn(true)
  })

  function probe(): void {
    if (sender.status !== 'ready') return
    sender.publish(channel, PROBE).catch((error: Error) => fail(explain(error)))
  }

  // Counted, so that a thread that stood still is not taken for a bus that is away.
  const probing = setInterval(() => {
    state.missed += 1
    if (state.missed > MISSED_PROBES && sender.status === 'ready' && hearer.status === 'ready') {
      state.missed = 0
      fail('what was sent to it did not come back')
      for (const client of [sender, hearer]) client.disconnect(true)
    }
    probe()
  }, PROBE_MS).unref()

  return {
    self,
    get isUp() {
      return state.isUp
    },
    get problem() {
      return state.problem
    },
    send: async (to, payload) => {
      if (!state.isUp) return false
      return sender.publish(`${CHANNELS}${to}`, payload).then(
        (heard) => heard > 0,
        () => false,
      )
    },
    onMessage: (handle) => void messageHandlers.add(handle),
    onChange: (handle) => void changeHandlers.add(handle),
    close: () => {
      state.isClosed = true
      state.isUp = false
      clearInterval(probing)
      for (const client of [sender, hearer]) client.disconnect()
    },
  }
}

function connect(url: string): Redis {
  return new Redis(url, {
    // What can't be carried now is of no use later: whoever sends it takes another way.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    commandTimeout: ANSWER_MS,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(FIRST_RETRY_MS * 2 ** (times - 1), LAST_RETRY_MS),
    // A user who may do no more than publish and subscribe is enough.
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
  })
}

/** The client's errors hold the command that failed with what it was given, the password among it. */
function explain(error: Error): string {
  const { code } = error as { code?: string }
  return error.message || code || error.name
}
