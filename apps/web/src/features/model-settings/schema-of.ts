import type { StepSettings } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'

export function schemaOf(asked: Pick<StepSettings, 'output'> | undefined): JsonSchema | undefined {
  return asked?.output?.type === 'json' ? asked.output.schema : undefined
}
