import { setTimeout as delay } from 'node:timers/promises'
import type { ModelStatus } from '@catenary/contracts'
import { testModel } from '../../features/models/models.ts'
import { connectBus } from '../../platform/bus/bus.ts'
import { createLog } from '../../platform/log/log.ts'
import { createMail } from '../../platform/mail/mail.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { createModels, type Models } from '../../platform/models/models.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { type Finding, notAsked, ok, problem } from './finding.ts'

const [BUS_ANSWERS_MS, BUS_POLL_MS] = [3_000, 20]

export async function checkModels(
  { models: settings }: Settings,
  { ask }: { ask: boolean },
): Promise<Finding[]> {
  const models = createModels({ settings, log: createLog({ level: 'silent' }) })
  try {
    if (models.isSandbox())
      return [ok('No model is called: the sandbox answers because no key is set or SANDBOX_MODEL is on')]
    const [setUp, others] = [true, false].map((is) =>
      models.describe().filter(({ configured }) => configured === is),
    )
    const asked = await Promise.all((setUp ?? []).map((model) => checkModel({ model, models, ask })))
    return [
      ...asked,
      ...(others ?? []).map(({ label, keyVariable }) =>
        notAsked(`${label} is not set up: ${keyVariable} is not set`),
      ),
    ]
  } finally {
    await models.close()
  }
}

async function checkModel({
  model: { alias, label, modelId, keyVariable },
  models,
  ask,
}: {
  model: ModelStatus
  models: Models
  ask: boolean
}): Promise<Finding> {
  if (!ask) return notAsked(`${label} is set up (${modelId}): --models makes one short call`)
  const { ok: answered, ms, error } = await testModel({ models }, alias)
  if (answered) return ok(`${label}: ${modelId} answered in ${ms} ms`)
  return problem(
    error ?? `${label} gave no answer`,
    `Check the settings of ${label} (${keyVariable} and related ones): ${error ?? 'no answer'}`,
  )
}

/** Whether the mail server takes the connection and the sign-in; no mail is sent. */
export async function checkMail({ smtpUrl }: Pick<Settings, 'smtpUrl'>): Promise<Finding[]> {
  if (smtpUrl === undefined) return [notAsked('Mail is not set up: SMTP_URL is not set')]
  try {
    await createMail({ smtpUrl }).verify()
    return [ok('The mail server accepts the connection and the sign-in; no email was sent')]
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return [problem(error.message, `Check SMTP_URL: ${error.message}.`)]
  }
}

export async function checkBus({ busUrl }: Pick<Settings, 'busUrl'>): Promise<Finding[]> {
  if (busUrl === undefined)
    return [
      notAsked('No bus is set up because BUS_URL is not set: the text of runs goes through the database'),
    ]
  const bus = connectBus({ url: busUrl, log: createLog({ level: 'silent' }) })
  try {
    for (let waited = 0; !bus.isUp && waited < BUS_ANSWERS_MS; waited += BUS_POLL_MS) await delay(BUS_POLL_MS)
    const { host } = new URL(busUrl)
    if (bus.isUp) return [ok(`The bus at ${host} carries what is sent to it`)]
    return [
      problem(
        `The bus at ${host} can’t be used: ${bus.problem ?? 'it does not answer'}`,
        'Check BUS_URL, and the Redis or Valkey there. Until it answers, the text of runs goes through the database.',
      ),
    ]
  } finally {
    bus.close()
  }
}
