import type { Chain, Evaluation, TestCase, TestSuite } from '@catenary/contracts'
import { expect, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type EvaluationLab, on } from '../../../testing/evaluations.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { makeStepTool } from '../../../testing/step-tools.ts'

export interface Sent {
  /** Of the path, and the query after it. */
  params?: Record<string, string | number>
  query?: string
  body?: object
  /** Absent: a guest, or a token. */
  as?: TestUser
  /** Whose token calls. */
  holder?: TestUser
  /** Whom the row names, where it is not who calls. */
  person?: unknown
  /** Absent: the record that the reply is. */
  object?: unknown
}

type Rest = Omit<Sent, 'object'>

/** What people write, and the names that they give: no row has one. */
export const WRITTEN: string[] = []

/** Unique, also where its text is changed on the way. */
export const written = (text: string) => {
  const mark = `mark${WRITTEN.length}q`
  WRITTEN.push(mark)
  return `${text} ${mark}`
}

export const newPerson = (lab: EvaluationLab) =>
  lab.registerUser({ username: written('Person').replace(' ', '') })

export async function ofPerson(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const as = await newPerson(lab)
  return { as, object: as.user.id, ...more }
}

export async function ofPrompt(lab: EvaluationLab, more: Rest = {}): Promise<Sent & { object: number }> {
  const { id } = await lab.makePrompt(2)
  const { params, ...rest } = more
  return { as: lab.owner, object: id, params: { id, ...params }, ...rest }
}

export async function ofChain(lab: EvaluationLab, more: Rest = {}): Promise<Sent & { object: number }> {
  const { id } = await lab.buildChain(['one', 'two {{a}}'])
  const { params, ...rest } = more
  return { as: lab.owner, object: id, params: { id, ...params }, ...rest }
}

export async function ofStep(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const chain = await lab.buildChain(['one'])
  const params = { id: chain.id, stepId: chain.steps[0]?.id ?? 0 }
  return { as: lab.owner, object: chain.id, params, ...more }
}

/** Whose call somebody else changed. */
export async function ofRestingStep(lab: EvaluationLab): Promise<Sent> {
  const headers = [{ name: 'Authorization', value: 'Bearer x', sealed: true }]
  const tool = { ...makeStepTool(), headers }
  const chain = await lab.buildChain([{ kind: 'tool', content: '', tool }], { sharedLevel: 'shared' })
  const params = { id: chain.id, stepId: chain.steps[0]?.id ?? 0 }
  await lab.send('PUT', `/api/chains/${chain.id}/shares`, { status: 200, body: shares })
  const changed = { ...tool, headers: [{ name: 'Authorization', sealed: true }], url: `${tool.url}/2` }
  const url = `/api/chains/${chain.id}/steps/${params.stepId}`
  await lab.send('PATCH', url, { status: 200, body: { tool: changed }, as: lab.other })
  const { revision } = (await lab.request({ url: `/api/chains/${chain.id}`, as: lab.owner })).body as Chain
  return { as: lab.owner, object: chain.id, params, body: { revision } }
}

export async function makeSuite(lab: EvaluationLab): Promise<TestSuite & { cases: TestCase[] }> {
  const { id } = await lab.makePrompt()
  return lab.makeSuite({ kind: 'prompt', id }, [{ name: 'One' }, { name: 'Two' }])
}

export async function ofSuite(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id } = await makeSuite(lab)
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export async function ofCase(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id, cases } = await makeSuite(lab)
  return { as: lab.owner, object: id, params: { id, caseId: cases[0]?.id ?? 0 }, ...more }
}

async function endedRun(lab: EvaluationLab): Promise<number> {
  const chain = await lab.buildChain(['one'])
  lab.fake.reply({ text: 'done' })
  const id = await lab.execute(chain.id)
  await lab.ended(id)
  return id
}

export async function ofRun(lab: EvaluationLab, more: Rest = {}): Promise<Sent & { object: number }> {
  const id = await endedRun(lab)
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export async function ofSilentRun(lab: EvaluationLab, as: TestUser): Promise<Sent> {
  const chain = await lab.buildChain(['one'])
  const asked = lab.fake.journal.length
  lab.fake.reply({ text: ['stuck'], fault: 'silence' })
  const id = await lab.execute(chain.id)
  await vi.waitFor(() => expect(lab.fake.journal.length).toBeGreaterThan(asked))
  return { as, object: id, params: { id } }
}

export async function ofAsk(lab: EvaluationLab): Promise<Sent> {
  const ask = makeStepAsk({
    people: [lab.owner.user.username],
    question: written('Send it?'),
    editable: true,
  })
  const chain = await lab.buildChain([{ kind: 'ask', content: '', ask }])
  const run = await lab.execute(chain.id)
  const id = await vi.waitFor(async () => {
    const { waitingFor } = await lab.status(run)
    expect(waitingFor).toBeDefined()
    return waitingFor?.askId ?? 0
  })
  const body = { decision: 'reject', reason: written('No'), text: written('Dear Ada') }
  return { as: lab.owner, object: id, params: { id }, body }
}

/** As if a call of the run had broken. */
export async function ofUnsureCall(lab: EvaluationLab): Promise<Sent> {
  const { as, object } = await ofAsk(lab)
  const { rows } = await lab.client.pool.query<{ run: number }>(
    `update asks set unsure = '{"item": null, "why": ""}' where id = $1 returning execution_id as run`,
    [object],
  )
  const params = { id: Number(rows[0]?.run), position: 0 }
  return { as, object, params, body: { happened: true, answer: written('{"id": 7}') } }
}

export async function ofEvaluation(lab: EvaluationLab, status?: Evaluation['status']): Promise<Sent> {
  const { suite } = await lab.prepare(['one'])
  const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })
  await lab.settled(id)
  if (status !== undefined) {
    await lab.client.pool.query('update evaluations set status = $1 where id = $2', [status, id])
  }
  return { as: lab.owner, object: id, params: { id } }
}

const TOKENS = {
  best: ['/api/best-tokens', { includedChainIds: [] }],
  read: ['/api/read-tokens', {}],
  mcp: ['/api/mcp-tokens', { allPrompts: true }],
  folder: ['/api/folder-tokens', {}],
  own: ['/api/own-tokens', {}],
} as const

/** How a chain’s own address is called. */
export function hookTexts() {
  const header = () => written('X-Header').replace(' ', '-')
  const signature = { form: 'plain', header: header(), secret: written('hush') }
  return { signature, deliveryHeader: header() }
}

export async function tokenBody(lab: EvaluationLab, kind: keyof typeof TOKENS): Promise<object> {
  const [, body] = TOKENS[kind]
  const own = kind === 'read' ? (await lab.makePrompt()).id : 0
  const chain = kind === 'own' ? (await lab.createChain(lab.owner)).id : 0
  return {
    name: written('Token'),
    ...body,
    ...(kind === 'read' && { promptIds: [own] }),
    ...(kind === 'own' && { scopes: [`chain:${chain}`, 'hook'], ...hookTexts() }),
  }
}

export async function ofToken(lab: EvaluationLab, kind: keyof typeof TOKENS, more: Sent = {}): Promise<Sent> {
  const { id } = await lab.send<{ id: number }>('POST', TOKENS[kind][0], { body: await tokenBody(lab, kind) })
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export async function ofChainToken(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id: chainId } = await lab.createChain(lab.owner)
  const { id } = await lab.send<{ id: number }>('POST', '/api/tokens', {
    body: { name: written('Site'), chainId },
  })
  return { as: lab.owner, object: id, params: { id }, ...more }
}

/** Led by the owner. */
export async function makeGroup(lab: EvaluationLab): Promise<{ id: number; name: string }> {
  const body = { name: written('Group'), leaders: [lab.owner.user.username] }
  return lab.send<{ id: number; name: string }>('POST', '/api/groups', { body, as: lab.admin })
}

export async function ofGroup(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id } = await makeGroup(lab)
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export async function ofView(lab: EvaluationLab): Promise<Sent> {
  const body = { name: written('View'), page: 'prompts', query: 'sort=title' }
  const { id } = await lab.send<{ id: number }>('POST', '/api/views', { body })
  return { as: lab.owner, object: id, params: { id } }
}

export async function ofTag(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id } = await lab.createTag(lab.owner, written('tag'))
  return { as: lab.admin, object: id, params: { kind: 'prompt', id }, ...more }
}

export const newVariable = () => written('v').replace(' ', '_')

export async function ofVariable(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id } = await lab.createVariable(lab.owner, { name: newVariable() })
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export const scheduled = () => ({
  input: written('Ada'),
  scheduledTime: new Date(Date.now() + 3_600_000).toISOString(),
  timeZone: 'UTC',
})

export async function ofSchedule(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const chain = await lab.buildChain(['one'])
  const url = `/api/chains/${chain.id}/schedule`
  const { id } = await lab.send<{ id: number }>('POST', url, { body: scheduled() })
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export const hook = () => ({
  url: `https://hooks.example.org/${written('path').replace(' ', '/')}`,
  events: ['run.failed'],
})

export async function ofWebhook(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const { id } = await lab.send<{ id: number }>('POST', '/api/webhooks', { body: hook() })
  return { as: lab.owner, object: id, params: { id }, ...more }
}

export const providerBody = (lab: EvaluationLab) => ({
  name: written('Office'),
  kind: 'compatible',
  baseUrl: lab.fake.url,
  apiKey: written('key').replace(' ', '-'),
  allowsPrivateAddress: true,
})

export async function makeProvider(lab: EvaluationLab, more: object = {}): Promise<number> {
  const body = { ...providerBody(lab), ...more }
  return (await lab.send<{ id: number }>('POST', '/api/admin/providers', { body, as: lab.admin })).id
}

export async function ofProvider(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const id = await makeProvider(lab)
  return { as: lab.admin, object: id, params: { id }, ...more }
}

export async function modelBody(lab: EvaluationLab): Promise<object> {
  const alias = written('llama').replace(' ', '-')
  return { alias, label: alias, providerId: await makeProvider(lab), modelId: 'llama-3.3-70b' }
}

export async function ofModel(lab: EvaluationLab, more: Sent = {}): Promise<Sent> {
  const body = await modelBody(lab)
  const { id } = await lab.send<{ id: number }>('POST', '/api/admin/models', { body, as: lab.admin })
  return { as: lab.admin, object: id, params: { id }, ...more }
}

export const moved = { version: 1, expectedVersion: null, reason: written('Ready') }

export async function ofLabel(
  lab: EvaluationLab,
  kind: 'prompt' | 'chain',
): Promise<Sent & { moveId: number }> {
  const sent = await (kind === 'prompt' ? ofPrompt(lab) : ofChain(lab))
  const url = `/api/${kind}s/${sent.object}/labels/staging`
  const { moveId } = await lab.send<{ moveId: number }>('PUT', url, { body: moved })
  return { ...sent, params: { ...sent.params, label: 'staging' }, moveId }
}

export async function ofMove(lab: EvaluationLab, kind: 'prompt' | 'chain'): Promise<Sent> {
  const { moveId, object, as } = await ofLabel(lab, kind)
  return { as, object, params: { id: object as number, moveId }, body: { reason: written('Back') } }
}

export async function ofAcceptance(lab: EvaluationLab, kind: 'prompt' | 'chain'): Promise<number> {
  if (kind === 'prompt') return (await lab.makePrompt(1, { as: lab.other, isPublic: true })).id
  return (await lab.createChain(lab.other, { sharedLevel: 'public' })).id
}

export async function accepted(lab: EvaluationLab, kind: 'prompt' | 'chain'): Promise<Sent> {
  const id = await ofAcceptance(lab, kind)
  const body = { [`${kind}Ids`]: [id] }
  await lab.send('POST', `/api/${kind}-acceptances`, { body, status: 204 })
  return { as: lab.owner, object: id, params: { id } }
}

export const protection = { whoMayMove: 'editors', needsSuite: false }
export const importBody = () => ({
  dryRun: false,
  files: [
    {
      name: `${written('file').replace(' ', '-')}.json`,
      text: JSON.stringify({ id: written('pmpt').replace(' ', '_'), instructions: written('Do it') }),
    },
  ],
})

export const csvBody = () => ({
  format: 'csv',
  text: `word,__expected\n${written('one')},contains: one\n`,
  name: written('Csv'),
})

export const shares = [{ username: 'Oskar', role: 'editor' }]
export const newAlias = () => written('alias').replace(' ', '-')
