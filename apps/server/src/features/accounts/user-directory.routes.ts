import { foundUser, searchUsersQuery } from '@catenary/contracts'
import * as z from 'zod'
import { toActorKey } from '../../platform/http/actor-key.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { UserDirectory } from './user-directory.service.ts'

/** More than typing asks for, too few to read all names soon. */
const SEARCHES_PER_MINUTE = 60

export function userDirectoryRoutes({ directory }: { directory: UserDirectory }): Routes {
  return (app) => {
    app.get(
      '/api/users/search',
      {
        config: {
          rateLimit: { max: SEARCHES_PER_MINUTE, timeWindow: '1 minute', keyGenerator: toActorKey },
        },
        schema: {
          tags: ['accounts'],
          summary: 'Find people by the start of their username',
          description: 'For signed-in people; at most ten, by username.',
          querystring: searchUsersQuery,
          response: { 200: z.array(foundUser), ...errorReplies(401, 429) },
        },
      },
      async (request) => {
        await requireUser(request)
        return directory.search(request.query.name)
      },
    )
  }
}
