import { answerOfTool, type ForEach, type JsonOutput, type StepAsk, type StepTool } from '@catenary/contracts'
import { findSchemaAt, scanPath } from '../answer-schema/paths.ts'
import { isSchema, type JsonSchema } from '../answer-schema/schema-node.ts'
import { askOutputSchema } from '../asks/ask-output.ts'
import { headOf } from '../conditions/condition-names.ts'

interface Making {
  output?: JsonOutput | { type: 'text' } | null | undefined
  forEach?: Pick<ForEach, 'result'> | null | undefined
  ask?: Pick<StepAsk, 'choices'> | null | undefined
  tool?: StepTool | null | undefined
}

/** What a step's output is, if that is JSON. */
export function schemaOfOutput({ output, forEach, ask, tool }: Making): JsonSchema | undefined {
  if (ask) return askOutputSchema(ask)
  const schema = output?.type === 'json' ? output.schema : tool ? answerOfTool(tool).schema : undefined
  if (forEach == null) return schema
  // Without items nothing is known of them, not even that they have no fields.
  return forEach.result === 'json' ? { type: 'array', ...(schema && { items: schema }) } : undefined
}

/** What an item is, where its list is known by a schema. */
export function schemaOfItem(
  { list }: Pick<ForEach, 'list'>,
  schemas: ReadonlyMap<string, JsonSchema>,
): JsonSchema | undefined {
  const name = headOf(list)
  const { steps, end } = scanPath(list, name.length)
  const schema = schemas.get(name)
  const found = schema && end === list.length ? findSchemaAt(schema, steps) : undefined
  const items = found && 'part' in found ? found.part.items : undefined
  return isSchema(items) ? items : undefined
}
