import { instanceApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { describeInstance } from './describe-instance.ts'

export { checkDatabase, describeInstance, webBuild } from './describe-instance.ts'

/** What this installation is. */
export const serveInstance = handlers(instanceApi, {
  'GET /api/instance': (ctx, { user }) => describeInstance(ctx, user),
})
