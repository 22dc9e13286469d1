import { idParams, SHARED_KINDS, type SharedKind, saveSharesRequest, share } from '@catenary/contracts'
import * as z from 'zod'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { listShares, saveShares } from './operations/share-record.ts'
import type { RecordsDeps } from './records-deps.ts'

const shareList = z.array(share)

/** When a kind's list counts. */
const COUNTS: Record<SharedKind, string> = {
  chain: 'It counts while the chain’s level is `shared`.',
  prompt: 'It counts whatever the prompt’s level is, and no call but this one changes it.',
}

export function sharesRoutes(deps: RecordsDeps): Routes {
  return (app) => {
    for (const kind of SHARED_KINDS) kindRoutes(app, deps, kind)
  }
}

function kindRoutes(app: HttpApp, deps: RecordsDeps, kind: SharedKind): void {
  const path = `/api/${kind}s/:id/shares` as const
  app.get(
    path,
    {
      schema: {
        tags: [`${kind}s`],
        summary: `Whom the ${kind} is shared with, by username`,
        description: `For people who may edit the ${kind}. ${COUNTS[kind]}`,
        params: idParams,
        response: { 200: shareList },
      },
    },
    async (request) => listShares(deps, { kind, id: request.params.id, user: await requireUser(request) }),
  )

  app.put(
    path,
    {
      schema: {
        tags: [`${kind}s`],
        summary: `Set whom the ${kind} is shared with`,
        description: 'For the owner. The whole new list: who is not in it loses access at once.',
        params: idParams,
        body: saveSharesRequest,
        response: { 200: shareList },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return saveShares(deps, { kind, id: request.params.id, user, shares: request.body })
    },
  )
}
