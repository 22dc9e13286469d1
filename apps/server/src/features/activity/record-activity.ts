import {
  ACTIVITY_FIELDS,
  type ActivityFields,
  type ActivityKind,
  type ActivityObject,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { ActorContext } from '../../platform/context.ts'
import { insertActivity } from './activity.sql.ts'

interface Act {
  kind: ActivityKind
  object: ActivityObject
  id?: number | null
  /** Whose it is, unless it is their own or nobody's. */
  ownerId?: number
  before?: ActivityFields
  after?: ActivityFields
  /** Who did it, where the call began before that was known. */
  personId?: number
}

/** In the transaction of what was done: both are there, or neither. */
export async function recordActivity(
  { db, actor }: ActorContext<Transaction>,
  { kind, object, id = null, personId, ownerId, before, after }: Act,
): Promise<void> {
  if (actor.isPart) return
  const who = personId ?? actor.personId
  await insertActivity(db, {
    kind,
    objectType: object,
    objectId: id,
    personId: who,
    ownerId: ownerId ?? ownerOf({ object, id, who }),
    door: actor.door,
    address: actor.address,
    before: listed(before),
    after: listed(after),
  })
}

/** All share these. */
const OF_NOBODY: ReadonlySet<ActivityObject> = new Set([
  'backup',
  'category',
  'group',
  'instance',
  'label',
  'model',
  'model_provider',
  'tag',
])

function ownerOf({ object, id, who }: { object: ActivityObject; id: number | null; who: number | null }) {
  if (OF_NOBODY.has(object)) return null
  return object === 'account' ? id : who
}

function listed(fields: ActivityFields = {}): ActivityFields | null {
  const kept = ACTIVITY_FIELDS.filter((name) => fields[name] !== undefined)
  return kept.length === 0 ? null : Object.fromEntries(kept.map((name) => [name, fields[name]]))
}

/** For the parts of what is recorded as a whole, such as the prompts of an import. */
export function asPart<Ctx extends ActorContext>(ctx: Ctx): Ctx {
  return { ...ctx, actor: { ...ctx.actor, isPart: true } }
}
