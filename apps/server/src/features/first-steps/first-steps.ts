import { firstStepsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { endFirstSteps, findFirstSteps } from './find-first-steps.ts'

/** What a newcomer has done of the first steps. */
export const serveFirstSteps = handlers(firstStepsApi, {
  'GET /api/first-steps': (ctx, { user }) => findFirstSteps(ctx, user),
  'DELETE /api/first-steps': (ctx, { user }) => endFirstSteps(ctx, user),
})
