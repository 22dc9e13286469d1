import { createMail } from './mail/mail.ts'
import { ModelError } from './models/model-error.ts'
import { createModels, type ModelsOptions } from './models/models.ts'
import { type Outbound, OutboundError } from './outbound/outbound.ts'
import type { ServiceClient } from './outbound/service-client.ts'
import type { ToolCalls } from './outbound/tool-calls.ts'
import type { PlatformDeps } from './platform.ts'

export type ClosedParts = Required<
  Pick<PlatformDeps, 'isQuiet' | 'mail' | 'models' | 'outbound' | 'serviceClient' | 'toolCalls'>
>

/**
 * All parts of a program by which it could reach anyone, without a way out: the sandbox answers in place of every
 * model, no address can be fetched, no service called, no mail sent. Nothing that is stored changes that.
 */
export function createClosedParts({ settings, ...options }: ModelsOptions): ClosedParts {
  const models = createModels({ ...options, settings: { ...settings, sandbox: 'on' } })
  return {
    models: { ...models, listOf: async (_provider, label) => refuseModel(label) },
    outbound: closedOutbound,
    serviceClient: closedServiceClient,
    toolCalls: closedToolCalls,
    mail: createMail({ smtpUrl: undefined }),
    isQuiet: true,
  }
}

const WHY = 'This is a copy that was restored: it reaches nobody until its work is resumed'

const refuse = async (): Promise<never> => {
  throw new OutboundError('blocked', WHY)
}

const refuseModel = (alias: string): never => {
  throw new ModelError({ code: 'model_not_configured', message: WHY, alias })
}

const closedOutbound: Outbound = {
  fetchText: refuse,
  fetchBytes: refuse,
  post: refuse,
  close: async () => {},
}
const closedToolCalls: ToolCalls = { call: refuse, mayCall: () => false, close: async () => {} }
const closedServiceClient: ServiceClient = { call: refuse, close: async () => {} }
