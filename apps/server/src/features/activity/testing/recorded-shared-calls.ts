import type { OwnedKind } from '@catenary/contracts'
import type { EvaluationLab } from '../../../testing/evaluations.ts'
import {
  newPerson,
  ofAsk,
  ofChain,
  ofGroup,
  ofPrompt,
  ofUnsureCall,
  ofVariable,
  type Sent,
  written,
} from './recorded-objects.ts'

export type Call = (lab: EvaluationLab) => Sent | Promise<Sent>

const OF_KIND = { chain: ofChain, prompt: ofPrompt, variable: ofVariable }

const offers =
  (kind: OwnedKind): Call =>
  (lab) =>
    OF_KIND[kind](lab, { body: { username: 'Oskar', keep: 'nothing' } })

/** Answered by its owner, or by whom it is offered to. */
const ends =
  (kind: OwnedKind, answeredBy: 'owner' | 'other'): Call =>
  async (lab) => {
    const sent = await OF_KIND[kind](lab)
    const other = await newPerson(lab)
    const body = { username: other.user.username, keep: 'nothing' }
    await lab.send('POST', `/api/${kind}s/${sent.object}/owner`, { body, status: 200 })
    return { ...sent, as: answeredBy === 'owner' ? lab.owner : other }
  }

/** Of groups, of owners who become others, and of what runs ask people. */
export const SHARED_CALLS = {
  'DELETE /api/admin/groups/{id}/models': (lab) => ofGroup(lab, { as: lab.admin }),
  'DELETE /api/groups/{id}': (lab) => ofGroup(lab),
  'PATCH /api/admin/groups/{id}/quotas': (lab) => ofGroup(lab, { as: lab.admin, body: { views: 5 } }),
  'PATCH /api/groups/{id}': (lab) => ofGroup(lab, { body: { name: written('Other'), leaders: ['Oskar'] } }),
  'POST /api/asks/{id}/answer': (lab) => ofAsk(lab),
  'POST /api/executions/{id}/steps/{position}/unsure': (lab) => ofUnsureCall(lab),
  'POST /api/groups': (lab) => ({ as: lab.admin, body: { name: written('Group'), members: ['Oskar'] } }),
  'PUT /api/admin/groups': (lab) => ({ as: lab.admin, object: null, body: { madeBy: 'admins' } }),
  'PUT /api/admin/groups/{id}/models': (lab) => ofGroup(lab, { as: lab.admin, body: { modelIds: [] } }),
  'PUT /api/groups/{id}/members': (lab) => ofGroup(lab, { body: { usernames: ['Oskar'] } }),
  'DELETE /api/chains/{id}/owner': ends('chain', 'owner'),
  'DELETE /api/prompts/{id}/owner': ends('prompt', 'other'),
  'DELETE /api/variables/{id}/owner': ends('variable', 'owner'),
  'POST /api/chains/{id}/owner': offers('chain'),
  'POST /api/chains/{id}/owner/accept': ends('chain', 'other'),
  'POST /api/prompts/{id}/owner': offers('prompt'),
  'POST /api/prompts/{id}/owner/accept': ends('prompt', 'other'),
  'POST /api/variables/{id}/owner': offers('variable'),
  'POST /api/variables/{id}/owner/accept': ends('variable', 'other'),
} satisfies Record<string, Call>
