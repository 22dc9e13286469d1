import type { StepSettings } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'

/** The schema of the answers of a prompt or a step; undefined: they are text. */
export function schemaOf(asked: Pick<StepSettings, 'output'> | undefined): JsonSchema | undefined {
  return asked?.output?.type === 'json' ? asked.output.schema : undefined
}
