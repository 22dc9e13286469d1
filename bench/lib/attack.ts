import { constants, setPriority } from 'node:os'
import { type Asked, ask, type Caller, newCaller, repeat } from './crowd.ts'
import { WORST_CALLS } from './worst-calls.ts'

/** Costs a search without an index seconds. */
const SEARCH = encodeURIComponent(`${'again and again; '.repeat(11)}x`.slice(0, 199))
const LARGE = 'and once more; '.repeat(60_000)

export interface Attack {
  url: string
  /** The session cookie of the hostile account. */
  cookie: string
  promptId: number
  chainId: number
  categoryId: number
  forMs: number
}

/** What an account did to the program: how often each reply came, and replies that must never come. */
export interface AttackReport {
  answers: Record<string, number>
  failures: string[]
}

/** All that the account may do, without a pause; refusals are ignored. */
async function attack({ url, cookie, promptId, chainId, categoryId, forMs }: Attack): Promise<AttackReport> {
  const report: AttackReport = { answers: {}, failures: [] }
  const until = performance.now() + forMs
  const account = newCaller(url, cookie)
  const call = async (caller: Caller, what: Asked) => {
    const place = `${what.method ?? 'GET'} ${what.path.split('?')[0]}`
    try {
      const { status, text } = await ask(caller, what)
      const answer = `${place} ${status}`
      report.answers[answer] = (report.answers[answer] ?? 0) + 1
      if (status === 500) report.failures.push(`${answer}: ${text.slice(0, 200)}`)
    } catch (error) {
      report.failures.push(`${place}: ${error}`)
    }
  }
  const again = (what: Asked, by: Caller = account) =>
    repeat({ until, restMs: 0, what: () => call(by, what) })
  const showing = async (path: string, fields: object): Promise<Caller> => {
    const { text } = await ask(account, { method: 'POST', path, body: { name: 'Laptop', ...fields } })
    const { cookie: _, ...headers } = account.headers
    return { ...account, headers: { ...headers, authorization: `Bearer ${JSON.parse(text).token}` } }
  }
  /** One after the other, again and again. */
  const each = (calls: Asked[], by: Caller) => {
    let count = 0
    return repeat({ until, restMs: 0, what: () => call(by, calls[count++ % calls.length] as Asked) })
  }
  const agent = await showing('/api/mcp-tokens', { promptIds: [promptId] })
  const program = await showing('/api/tokens', { chainId })
  const thief = newCaller(url)
  const reads = ['/api/prompts', '/api/variables', '/api/chains', `/api/prompts?search=${SEARCH}`]
  const values = { name: 'Eve' }
  await Promise.all([
    ...[...reads, '/api/variables/usage', `/api/prompts/${promptId + 1}/versions`].map((path) =>
      again({ path }),
    ),
    again({ path: `/api/prompts?search=${SEARCH}` }, newCaller(url)),
    again({ method: 'POST', path: `/api/chains/${chainId}/execute`, body: { input: 'more' } }),
    again({ method: 'POST', path: '/api/prompts', body: { title: 'Letter', content: LARGE, categoryId } }),
    again({ method: 'POST', path: '/api/execute-prompt', body: { promptId, variables: values } }),
    each(WORST_CALLS.guest, newCaller(url)),
    each([...WORST_CALLS.account, ...WORST_CALLS.imports], account),
    each(WORST_CALLS.agents, agent),
    each(WORST_CALLS.programs, program),
    repeat({
      ...{ until, restMs: 0 },
      what: () => {
        const body = { username: `person${Math.floor(Math.random() * 8)}`, password: 'a wrong guess' }
        return call(thief, { method: 'POST', path: '/api/login', body })
      },
    }),
  ])
  return report
}

// The attacker has its own machine: its work must not take the processor from the program or from the measurement.
if (process.argv[1] === import.meta.filename) {
  setPriority(constants.priority.PRIORITY_LOW)
  console.log(JSON.stringify(await attack(JSON.parse(process.argv[2] ?? '{}'))))
  process.exit(0)
}
