import type { Api } from '@catenary/contracts'
import { expect } from 'vitest'
import { on } from '../../../testing/evaluations.ts'
import { makePng } from '../../../testing/pictures.ts'
import { TEST_PASSWORD } from '../../../testing/test-password.ts'
import { fillFolder } from '../../exports/testing/fill-folder.ts'
import {
  caseTexts,
  chainTexts,
  chosenText,
  fetchedText,
  mailStepTexts,
  promptTexts,
  stepTexts,
  suiteTexts,
} from './filled-bodies.ts'
import {
  accepted,
  csvBody,
  hook,
  hookTexts,
  importBody,
  makeGroup,
  makeProvider,
  makeSuite,
  modelBody,
  moved,
  newAlias,
  newPerson,
  newVariable,
  ofAcceptance,
  ofCase,
  ofChain,
  ofChainToken,
  ofEvaluation,
  ofLabel,
  ofModel,
  ofMove,
  ofPerson,
  ofPrompt,
  ofProvider,
  ofRestingStep,
  ofRun,
  ofSchedule,
  ofSilentRun,
  ofStep,
  ofSuite,
  ofTag,
  ofToken,
  ofVariable,
  ofView,
  ofWebhook,
  protection,
  providerBody,
  scheduled,
  shares,
  tokenBody,
  written,
} from './recorded-objects.ts'
import { type Call, SHARED_CALLS } from './recorded-shared-calls.ts'

type RecordedKey = {
  [Key in keyof Api]: Api[Key] extends { activity: { kind: unknown } } ? Key : never
}[keyof Api]

/** What needs a world of its own; the test there asks for its row. */
export const ELSEWHERE = {
  'DELETE /api/admin/backups/{id}': 'backups.slow.test.ts',
  'DELETE /api/auth/google': 'drive-connection.test.ts',
  'GET /api/admin/backups/{id}/file': 'backups.slow.test.ts',
  'GET /api/auth/google/callback': 'drive-connection.test.ts',
  'POST /api/admin/backups': 'backups.slow.test.ts',
  'POST /api/admin/backups/{id}/drill': 'backups.slow.test.ts',
  'POST /api/admin/resume-work': 'backups.slow.test.ts',
  'POST /api/mail/confirm/{token}': 'mail-consents.test.ts',
  'POST /api/mail/confirmation': 'mail-confirmation.test.ts',
  'POST /api/mail/unsubscribe/{token}': 'mail-consents.test.ts',
} satisfies Partial<Record<RecordedKey, string>>

type CalledKey = Exclude<RecordedKey, keyof typeof ELSEWHERE>

/** Each call that leaves a row, made once; one that is missing does not compile. */
export const CALLS: Record<CalledKey, Call> = {
  ...SHARED_CALLS,
  'DELETE /api/account/sessions': (lab) => ofPerson(lab),
  'DELETE /api/account/sessions/{id}': async (lab) => {
    const as = await newPerson(lab)
    const body = { username: as.user.username, password: TEST_PASSWORD }
    await lab.request({ method: 'POST', url: '/api/login', body })
    const { body: sessions } = await lab.request({ url: '/api/account/sessions', as })
    const other = (sessions as { id: number; current: boolean }[]).find(({ current }) => !current)
    return { as, object: as.user.id, params: { id: other?.id ?? 0 } }
  },
  'DELETE /api/admin/labels/{kind}/{id}': (lab) => ofTag(lab),
  'DELETE /api/admin/model-access/{userId}': async (lab) => {
    const { user } = await newPerson(lab)
    return { as: lab.admin, object: user.id, params: { userId: user.id } }
  },
  'DELETE /api/admin/models/{id}': (lab) => ofModel(lab),
  'DELETE /api/admin/protected-labels/{label}': async (lab) => {
    const label = 'reviewed'
    await lab.send('PUT', `/api/admin/protected-labels/${label}`, { body: protection, as: lab.admin })
    return { as: lab.admin, object: null, params: { label } }
  },
  'DELETE /api/admin/providers/{id}': (lab) => ofProvider(lab),
  'DELETE /api/api-tokens/{id}': (lab) => ofToken(lab, 'best'),
  'DELETE /api/chain-acceptances/{id}': (lab) => accepted(lab, 'chain'),
  'DELETE /api/chains/{id}': (lab) => ofChain(lab),
  'DELETE /api/chains/{id}/labels/{label}': async (lab) => ({
    ...(await ofLabel(lab, 'chain')),
    query: '?expectedVersion=1',
  }),
  'DELETE /api/chains/{id}/run-share': (lab) => ofChain(lab),
  'DELETE /api/chains/{id}/steps/{stepId}': (lab) => ofStep(lab),
  'DELETE /api/chains/{id}/versions/{number}': (lab) => ofChain(lab, { params: { number: 1 } }),
  'DELETE /api/evaluations/{id}': (lab) => ofEvaluation(lab),
  'DELETE /api/examples': async (lab) => {
    const sent = await ofPerson(lab)
    await lab.request({ method: 'POST', url: '/api/examples', as: sent.as })
    return sent
  },
  'DELETE /api/executions/{id}': (lab) => ofRun(lab),
  'DELETE /api/executions/{id}/rating': async (lab) => {
    const sent = await ofRun(lab)
    const body = { thumb: 'up', note: written('Note') }
    await lab.send('PUT', `/api/executions/${sent.object}/rating`, { body })
    return sent
  },
  'DELETE /api/executions/{id}/share': (lab) => ofRun(lab),
  'DELETE /api/folder-tokens/{id}': (lab) => ofToken(lab, 'folder'),
  'DELETE /api/mcp-tokens/{id}': (lab) => ofToken(lab, 'mcp'),
  'DELETE /api/own-tokens/{id}': (lab) => ofToken(lab, 'own'),
  'DELETE /api/prompt-acceptances/{id}': (lab) => accepted(lab, 'prompt'),
  'DELETE /api/prompts/{id}': (lab) => ofPrompt(lab),
  'DELETE /api/prompts/{id}/aliases/{alias}': async (lab) => {
    const sent = await ofPrompt(lab, { params: { alias: newAlias() } })
    await lab.send('PUT', `/api/prompts/${sent.object}/aliases/${sent.params?.alias}`)
    return sent
  },
  'DELETE /api/prompts/{id}/executions': (lab) => ofPrompt(lab),
  'DELETE /api/prompts/{id}/labels/{label}': async (lab) => ({
    ...(await ofLabel(lab, 'prompt')),
    query: '?expectedVersion=1',
  }),
  'DELETE /api/prompts/{id}/run-share': (lab) => ofPrompt(lab),
  'DELETE /api/prompts/{id}/skill': async (lab) => {
    const sent = await ofPrompt(lab)
    await lab.send('PUT', `/api/prompts/${sent.object}/skill`, {
      body: { description: written('Greets'), parts: [] },
    })
    return sent
  },
  'DELETE /api/prompts/{id}/versions/{number}': (lab) => ofPrompt(lab, { params: { number: 1 } }),
  'DELETE /api/read-tokens/{id}': (lab) => ofToken(lab, 'read'),
  'DELETE /api/scheduled-runs/{id}': (lab) => ofSchedule(lab),
  'DELETE /api/test-suites/{id}': (lab) => ofSuite(lab),
  'DELETE /api/test-suites/{id}/cases/{caseId}': (lab) => ofCase(lab),
  'DELETE /api/tokens/{id}': (lab) => ofChainToken(lab),
  'DELETE /api/variables/{id}': (lab) => ofVariable(lab),
  'DELETE /api/views/{id}': ofView,
  'DELETE /api/webhooks/{id}': (lab) => ofWebhook(lab),
  'GET /api/activity': (lab) => ofPerson(lab, { query: '?format=csv' }),
  'GET /api/admin/activity': (lab) => ({ as: lab.admin, object: null, query: '?format=csv' }),
  'GET /api/export': (lab) => ofPerson(lab, { query: '?format=langfuse' }),
  'GET /api/folder': async (lab) => {
    const holder = await newPerson(lab)
    return { holder, object: holder.user.id, query: '?label=latest' }
  },
  'GET /api/test-suites/{id}/export': (lab) => ofSuite(lab),
  'GET /api/tokens/{id}/value': (lab) => ofChainToken(lab),
  'PATCH /api/account': (lab) => ofPerson(lab, { body: { theme: 'dark' } }),
  'PATCH /api/admin/labels/{kind}/{id}': (lab) => ofTag(lab, { body: { name: written('renamed') } }),
  'PATCH /api/admin/models/{id}': (lab) => ofModel(lab, { body: { isForEveryone: false } }),
  'PATCH /api/admin/providers/{id}': (lab) => ofProvider(lab, { body: { name: written('Office') } }),
  'PATCH /api/admin/users/{id}': async (lab) => {
    const { user } = await newPerson(lab)
    return { as: lab.admin, object: user.id, params: { id: user.id }, body: { disabled: true } }
  },
  'PATCH /api/admin/users/{id}/quotas': async (lab) => {
    const { user } = await newPerson(lab)
    return { as: lab.admin, object: user.id, params: { id: user.id }, body: { prompts: 5 } }
  },
  'PATCH /api/api-tokens/{id}': (lab) => ofToken(lab, 'best', { body: { name: written('Other') } }),
  'PATCH /api/chains/{id}': (lab) => ofChain(lab, { body: { name: written('Other'), ...chainTexts() } }),
  'PATCH /api/chains/{id}/steps/{stepId}': (lab) => ofStep(lab, { body: stepTexts() }),
  'PATCH /api/chains/{id}/versions/{number}': (lab) =>
    ofChain(lab, { params: { number: 1 }, body: { note: written('First') } }),
  'PATCH /api/folder-tokens/{id}': (lab) => ofToken(lab, 'folder', { body: { name: written('Other') } }),
  'PATCH /api/mcp-tokens/{id}': (lab) => ofToken(lab, 'mcp', { body: { name: written('Other') } }),
  'PATCH /api/own-tokens/{id}': (lab) =>
    ofToken(lab, 'own', { body: { name: written('Other'), ...hookTexts() } }),
  'PATCH /api/prompts/{id}/share': (lab) => ofPrompt(lab, { body: { sharedLevel: 'public' } }),
  'PATCH /api/prompts/{id}/toggle': (lab) => ofPrompt(lab),
  'PATCH /api/prompts/{id}/versions/{number}': (lab) =>
    ofPrompt(lab, { params: { number: 1 }, body: { note: written('First') } }),
  'PATCH /api/read-tokens/{id}': (lab) => ofToken(lab, 'read', { body: { name: written('Other') } }),
  'PATCH /api/scheduled-runs/{id}': (lab) => ofSchedule(lab, { body: { active: false } }),
  'PATCH /api/test-suites/{id}': (lab) => ofSuite(lab, { body: suiteTexts() }),
  'PATCH /api/test-suites/{id}/cases/{caseId}': (lab) => ofCase(lab, { body: caseTexts() }),
  'PATCH /api/tokens/{id}': (lab) => ofChainToken(lab, { body: { name: written('Other') } }),
  'PATCH /api/variables/{id}': (lab) => ofVariable(lab, { body: { name: newVariable(), ...chosenText() } }),
  'PATCH /api/webhooks/{id}': (lab) => ofWebhook(lab, { body: { isActive: false } }),
  'POST /api/account/password': (lab) =>
    ofPerson(lab, { body: { currentPassword: TEST_PASSWORD, newPassword: written('a whole new password') } }),
  'POST /api/admin/processes/runs/{id}/stop': (lab) => ofSilentRun(lab, lab.admin),
  'POST /api/admin/debug-mode': (lab) => ({ as: lab.admin, object: null, body: { enabled: false } }),
  'POST /api/admin/labels/{kind}/{id}/merge': async (lab) => {
    const { id: into } = await lab.createTag(lab.owner, written('into'))
    return ofTag(lab, { body: { into } })
  },
  'POST /api/admin/models': async (lab) => ({ as: lab.admin, body: await modelBody(lab) }),
  'POST /api/admin/providers': (lab) => ({ as: lab.admin, body: providerBody(lab) }),
  'POST /api/admin/providers/{id}/replace-key': async (lab) => {
    const id = await makeProvider(lab, { apiKey: written('key').replace(' ', '-') })
    const body = { apiKey: written('key').replace(' ', '-') }
    await lab.send('PATCH', `/api/admin/providers/${id}`, { body, as: lab.admin })
    return { as: lab.admin, object: id, params: { id }, body: { isConfirmed: true } }
  },
  'POST /api/admin/schedules': (lab) => ({ as: lab.admin, object: null, body: { paused: false } }),
  'POST /api/best-selections/{id}/correction': async (lab) => {
    const { id: chainId } = await lab.createChain(lab.owner)
    const { rows } = await lab.client.pool.query<{ id: number }>(
      `insert into best_chain_selections (user_id, token_name, request, chain_id, chain_name, way, reasoning, scores)
        values ($1, 'Site', $3, $2, 'Letter', 'judge', 'It fits', '[]') returning id`,
      [lab.owner.user.id, chainId, written('Write to Ada')],
    )
    return { as: lab.owner, object: chainId, params: { id: rows[0]?.id ?? 0 }, body: { chainId } }
  },
  'POST /api/best-tokens': async (lab) => ({ as: lab.owner, body: await tokenBody(lab, 'best') }),
  'POST /api/categories': (lab) => ({ as: lab.owner, body: { name: written('Category') } }),
  'POST /api/chain-acceptances': async (lab) => {
    const id = await ofAcceptance(lab, 'chain')
    return { as: lab.owner, object: id, body: { chainIds: [id] } }
  },
  'POST /api/chain-tags': (lab) => ({ as: lab.owner, body: { name: written('tag') } }),
  'POST /api/chains': (lab) => ({ as: lab.owner, body: { name: written('Chain'), ...chainTexts() } }),
  'POST /api/chains/bulk': async (lab) => {
    const { id: tagId } = await lab.createTag(lab.owner, written('tag'), '/api/chain-tags')
    const { object } = await ofChain(lab)
    return { as: lab.owner, object, body: { ids: [object], action: 'tag', tagId } }
  },
  'POST /api/chains/{id}/duplicate': async (lab) => ({ ...(await ofChain(lab)), object: undefined }),
  'POST /api/chains/{id}/label-moves/{moveId}/undo': (lab) => ofMove(lab, 'chain'),
  'POST /api/chains/{id}/reorder-steps': async (lab) => {
    const { id, steps } = await lab.buildChain(['one', 'two'])
    const stepIds = steps.map((step) => step.id).toReversed()
    return { as: lab.owner, object: id, params: { id }, body: { stepIds } }
  },
  'POST /api/chains/{id}/schedule': async (lab) => ({
    ...(await ofChain(lab, { body: scheduled() })),
    object: undefined,
  }),
  'POST /api/chains/{id}/steps': (lab) =>
    ofChain(lab, { body: { ...stepTexts(), outputVariableName: 'last', position: 2 } }),
  'POST /api/chains/{id}/steps/{stepId}/allow': (lab) => ofRestingStep(lab),
  'POST /api/chains/{id}/steps/{stepId}/duplicate': (lab) => ofStep(lab),
  'POST /api/chains/{id}/steps/{stepId}/else': async (lab) => {
    const sent = await ofStep(lab)
    const { onlyIf } = stepTexts()
    await lab.send('PATCH', `/api/chains/${sent.object}/steps/${sent.params?.stepId}`, { body: { onlyIf } })
    return { ...sent, body: mailStepTexts() }
  },
  'POST /api/chains/{id}/test-suites': async (lab) => ({
    ...(await ofChain(lab, { body: { name: written('Tone') } })),
    object: undefined,
  }),
  'POST /api/chains/{id}/test-suites/import': async (lab) => ({
    ...(await ofChain(lab, { body: csvBody() })),
    object: expect.any(Number),
  }),
  'POST /api/chains/{id}/versions/{number}/restore': (lab) => ofChain(lab, { params: { number: 1 } }),
  'POST /api/evaluations': async (lab) => {
    const { suite } = await lab.prepare(['one'])
    return { as: lab.owner, body: { suiteId: suite.id, targets: [on(1)], ceilingUsd: 10 } }
  },
  'POST /api/evaluations/{id}/resume': (lab) => ofEvaluation(lab, 'stopped'),
  'POST /api/evaluations/{id}/stop': (lab) => ofEvaluation(lab, 'running'),
  'POST /api/examples': (lab) => ofPerson(lab),
  'POST /api/executions/{id}/cancel': (lab) => ofSilentRun(lab, lab.owner),
  'POST /api/files': (lab) => ({
    as: lab.owner,
    body: { fileName: 'a.png', data: makePng().toString('base64') },
    object: expect.any(Number),
  }),
  'POST /api/folder-tokens': async (lab) => ({ as: lab.owner, body: await tokenBody(lab, 'folder') }),
  'POST /api/folder/evaluations': async (lab) => {
    const holder = await newPerson(lab)
    const { refund } = await fillFolder(lab, holder)
    const body = { suite: `${refund.slug}/tone`, label: 'latest', ceilingUsd: 1, model: 'openai' }
    return { holder, body }
  },
  'POST /api/folder/push': async (lab) => {
    const holder = await newPerson(lab)
    const text = `---\ncatenary: prompt\ntitle: Quite new\n---\n\n${written('Text')}\n`
    const files = [{ name: 'prompts/quite-new.md', text, base: null }]
    const body = { files, dryRun: false, note: written('From CI') }
    return { holder, object: expect.any(Number), body }
  },
  'POST /api/import': (lab) => ({ as: lab.owner, body: { ...importBody(), tag: written('tag') } }),
  'POST /api/imports/{id}/undo': async (lab) => {
    const { id } = await lab.send<{ id: number }>('POST', '/api/import', { body: importBody(), status: 200 })
    return { as: lab.owner, object: id, params: { id } }
  },
  'POST /api/login': async (lab) => {
    const { user } = await newPerson(lab)
    const body = { username: user.username, password: TEST_PASSWORD }
    return { body, person: user.id, object: user.id }
  },
  'POST /api/logout': (lab) => ofPerson(lab),
  'POST /api/mcp-tokens': async (lab) => ({ as: lab.owner, body: await tokenBody(lab, 'mcp') }),
  'POST /api/own-tokens': async (lab) => ({ as: lab.owner, body: await tokenBody(lab, 'own') }),
  'POST /api/prompt-acceptances': async (lab) => {
    const id = await ofAcceptance(lab, 'prompt')
    return { as: lab.owner, object: id, body: { promptIds: [id] } }
  },
  'POST /api/prompts': ({ owner, categoryId }) => ({
    as: owner,
    body: { categoryId, ...promptTexts() },
  }),
  'POST /api/prompts/bulk': async (lab) => {
    const { object } = await ofPrompt(lab)
    return { as: lab.owner, object, body: { ids: [object], action: 'deactivate' } }
  },
  'POST /api/prompts/{id}/duplicate': async (lab) => ({ ...(await ofPrompt(lab)), object: undefined }),
  'POST /api/prompts/{id}/label-moves/{moveId}/undo': (lab) => ofMove(lab, 'prompt'),
  'POST /api/prompts/{id}/test-suites': async (lab) => ({
    ...(await ofPrompt(lab, { body: { name: written('Tone') } })),
    object: undefined,
  }),
  'POST /api/prompts/{id}/test-suites/import': async (lab) => ({
    ...(await ofPrompt(lab, { body: csvBody() })),
    object: expect.any(Number),
  }),
  'POST /api/prompts/{id}/versions/{number}/restore': (lab) => ofPrompt(lab, { params: { number: 1 } }),
  'POST /api/read-tokens': async (lab) => ({ as: lab.owner, body: await tokenBody(lab, 'read') }),
  'POST /api/register': () => {
    const username = written('New').replace(' ', '')
    const body = { username, email: `${username}@example.org`, password: TEST_PASSWORD }
    return { body, person: 'made' }
  },
  'POST /api/tags': (lab) => ({ as: lab.owner, body: { name: written('tag') } }),
  'POST /api/test-suites/{id}/cases': (lab) => ofSuite(lab, { body: caseTexts() }),
  'POST /api/test-suites/{id}/cases/{caseId}/duplicate': (lab) => ofCase(lab),
  'POST /api/test-suites/{id}/reorder-cases': async (lab) => {
    const { id, cases } = await makeSuite(lab)
    const caseIds = cases.map((one) => one.id).toReversed()
    return { as: lab.owner, object: id, params: { id }, body: { caseIds } }
  },
  'POST /api/tokens': async (lab) => {
    const { id: chainId } = await lab.createChain(lab.owner)
    return { as: lab.owner, body: { name: written('Site'), chainId } }
  },
  'POST /api/tokens/{id}/rotate': (lab) => ofChainToken(lab),
  'POST /api/upload': (lab) => ({
    as: lab.owner,
    body: { fileName: 'a.txt', content: written('x') },
    object: expect.any(Number),
  }),
  'POST /api/variables': (lab) => ({
    as: lab.owner,
    body: { name: newVariable(), ...fetchedText() },
  }),
  'POST /api/variables/tags': (lab) => ({ as: lab.owner, body: { name: written('tag') } }),
  'POST /api/views': (lab) => ({
    as: lab.owner,
    body: { name: written('View'), page: 'prompts', query: `search=${written('Ada').replace(' ', '+')}` },
  }),
  'POST /api/webhooks': (lab) => ({ as: lab.owner, body: hook() }),
  'POST /api/webhooks/{id}/rotate': (lab) => ofWebhook(lab),
  'PUT /api/admin/model-access/{userId}': async (lab) => {
    const { user } = await newPerson(lab)
    return { as: lab.admin, object: user.id, params: { userId: user.id }, body: { modelIds: [] } }
  },
  'PUT /api/admin/protected-labels/{label}': async (lab) => {
    const body = { ...protection, groups: [(await makeGroup(lab)).name] }
    return { as: lab.admin, object: null, params: { label: 'approved' }, body }
  },
  'PUT /api/admin/retention': (lab) => ({
    as: lab.admin,
    object: null,
    body: { runDays: null, textDays: null, keyHours: 24 },
  }),
  'PUT /api/admin/tool-steps': (lab) => ({ as: lab.admin, object: null, body: { savedBy: 'everyone' } }),
  'PUT /api/chains/{id}/labels/{label}': (lab) => ofChain(lab, { params: { label: 'staging' }, body: moved }),
  'PUT /api/chains/{id}/run-share': (lab) => ofChain(lab, { body: { names: [] } }),
  'PUT /api/chains/{id}/shares': (lab) => ofChain(lab, { body: shares }),
  'PUT /api/executions/{id}/rating': (lab) => ofRun(lab, { body: { thumb: 'up', note: written('Note') } }),
  'PUT /api/executions/{id}/share': (lab) => ofRun(lab),
  'PUT /api/prompts/{id}': async (lab) => {
    const sent = await ofPrompt(lab)
    return { ...sent, body: { categoryId: lab.categoryId, ...promptTexts() } }
  },
  'PUT /api/prompts/{id}/aliases/{alias}': (lab) => ofPrompt(lab, { params: { alias: newAlias() } }),
  'PUT /api/prompts/{id}/labels/{label}': (lab) =>
    ofPrompt(lab, { params: { label: 'staging' }, body: moved }),
  'PUT /api/prompts/{id}/run-share': (lab) => ofPrompt(lab, { body: { names: [] } }),
  'PUT /api/prompts/{id}/shares': async (lab) =>
    ofPrompt(lab, { body: [...shares, { group: (await makeGroup(lab)).name, role: 'viewer' }] }),
  'PUT /api/prompts/{id}/skill': (lab) =>
    ofPrompt(lab, { body: { description: written('Greets'), parts: [] } }),
}
