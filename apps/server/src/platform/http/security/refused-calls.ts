import {
  ACTIVITY_OBJECTS,
  type ActivityDoor,
  type ActivityObject,
  type EndpointActivity,
  type RefusedKind,
} from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DOORS } from '../endpoints.ts'

export interface RefusedCall {
  request: FastifyRequest
  kind: RefusedKind
  objectType: ActivityObject
  objectId: number | null
  personId: number | null
  door: ActivityDoor
  address: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it leaves in the activity; a refusal is of the same kind. */
    activity?: EndpointActivity
  }
}

/** Tells of missing rights of people and tokens, and of tokens that are unknown or ended. A sign-in tells of itself. */
export function noteRefusedCalls(
  app: FastifyInstance,
  { refused }: { refused?: ((call: RefusedCall) => void) | undefined },
): void {
  if (refused === undefined) return
  app.addHook('onResponse', async (request, { statusCode }) => {
    if (statusCode !== 401 && statusCode !== 403) return
    const door = DOORS[request.routeOptions.config.admission?.who ?? 'guest']
    const person = request.tokenUser ?? (await request.sessionUser?.catch(() => null)) ?? null
    const isMeant = door === 'page' ? statusCode === 403 && person !== null : hasCredentials(request)
    if (!isMeant) return
    const personId = person?.id ?? null
    refused({ request, ...actOf(request, { door, personId }), personId, door, address: request.ip })
  })
}

const TOKEN = /^ct[a-z]_/

function hasCredentials({ headers, params, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.admission?.who === 'hook token') return TOKEN.test(String(Object(params).token))
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

function actOf(
  { params, routeOptions }: FastifyRequest,
  { door, personId }: { door: ActivityDoor; personId: number | null },
): Pick<RefusedCall, 'kind' | 'objectType' | 'objectId'> {
  if (door !== 'page') return { kind: 'token.call_refused', objectType: 'token', objectId: null }
  const { activity } = routeOptions.config
  if (activity === undefined || 'none' in activity || typeof activity.kind !== 'string') {
    return { kind: 'account.call_refused', objectType: 'account', objectId: personId }
  }
  const objects = [activity.object].flat()
  const named = ACTIVITY_OBJECTS.find((one) => routeOptions.url?.includes(`/${one}s/:id`))
  const isOther = named !== undefined && !objects.includes(named)
  const objectType = (isOther ? undefined : named) ?? objects[0] ?? 'instance'
  // A suite that is made at a prompt has no id yet: the path has the prompt's.
  return { kind: `${activity.kind}_refused`, objectType, objectId: isOther ? null : idOf(params) }
}

function idOf(params: unknown): number | null {
  const { userId, id = userId } = Object(params)
  return /^\d{1,9}$/.test(String(id)) ? Number(id) : null
}
