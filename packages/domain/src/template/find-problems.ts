import { describeUnknownField } from '../answer-schema/describe-unknown-field.ts'
import type { JsonSchema } from '../answer-schema/schema-node.ts'
import { CLOSING_MARK, findCandidates, type ReferenceKind } from './tokenize.ts'

export interface TemplateProblem {
  kind: 'unclosed' | 'empty-name' | 'invalid-name' | 'unknown-variable' | 'unknown-output' | 'unknown-field'
  /** The name as written; absent when there is none to tell. */
  name?: string
  start: number
  end: number
  message: string
}

const MESSAGES: Record<ReferenceKind, { unclosed: string; empty: string; invalid: string }> = {
  variable: {
    unclosed: 'Close the variable with ">"',
    empty: 'Put a variable name between "$<" and ">"',
    invalid: 'Variable names contain only letters, digits and underscores',
  },
  output: {
    unclosed: 'Close the output with "}}"',
    empty: 'Put an output name between "{{" and "}}"',
    invalid: 'Output names contain only letters, digits and underscores',
  },
}

/** Lists likely mistakes, in order of position. Names are checked only against the sets given. */
export function findTemplateProblems(
  source: string,
  {
    knownVariables,
    knownOutputs,
    jsonOutputs,
  }: {
    knownVariables?: ReadonlySet<string>
    /** Given only in chains; without it double braces are plain text. */
    knownOutputs?: ReadonlySet<string>
    /** Schemas of the outputs that are JSON, of which a path may take a part. */
    jsonOutputs?: ReadonlyMap<string, JsonSchema> | undefined
  } = {},
): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  const known = { variable: knownVariables, output: knownOutputs }
  for (const candidate of findCandidates(source, { outputs: knownOutputs !== undefined, jsonOutputs })) {
    const { kind, start, nameStart, nameEnd, path, referenceEnd, complete } = candidate
    if (!complete) {
      problems.push(describeMalformed(source, candidate))
      continue
    }
    const name = source.slice(nameStart, nameEnd)
    const end = referenceEnd + CLOSING_MARK[kind].length
    const unknown = describeUnknownField({ name, path, schema: jsonOutputs?.get(name) })
    if (unknown !== undefined) problems.push({ kind: 'unknown-field', name, start, end, message: unknown })
    if (known[kind]?.has(name) ?? true) continue
    problems.push(
      kind === 'variable'
        ? { kind: 'unknown-variable', name, start, end, message: `Variable ${name} does not exist` }
        : { kind: 'unknown-output', name, start, end, message: `No earlier step produces ${name}` },
    )
  }
  return problems
}

function describeMalformed(
  source: string,
  {
    kind,
    start,
    nameStart,
    nameEnd,
  }: { kind: ReferenceKind; start: number; nameStart: number; nameEnd: number },
): TemplateProblem {
  // Searching no further than the line or the next opening mark keeps the whole check linear.
  const closingOrStop = kind === 'variable' ? />|\n|\$<|\{\{/g : /\}\}|\n|\$<|\{\{/g
  closingOrStop.lastIndex = nameEnd
  const found = closingOrStop.exec(source)
  if (found?.[0] !== CLOSING_MARK[kind]) {
    return { kind: 'unclosed', start, end: nameEnd, message: MESSAGES[kind].unclosed }
  }
  const end = found.index + found[0].length
  const name = source.slice(nameStart, found.index)
  return name === ''
    ? { kind: 'empty-name', start, end, message: MESSAGES[kind].empty }
    : { kind: 'invalid-name', name, start, end, message: MESSAGES[kind].invalid }
}
