import type { AssertionOf } from '@catenary/contracts'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { type Grader, GradingError } from './finding.ts'
import { findJsonObjects } from './json-objects.ts'

type Check = (value: unknown) => string | null

export const isJson: Grader<'is-json'> = (assertion, { text }) => {
  const value = parseJson(text)
  if (value === undefined) return { holds: false, because: 'It is not valid JSON' }
  const problem = compile(assertion)?.(value)
  if (problem === undefined) return { holds: true, because: 'It is valid JSON' }
  return problem === null
    ? { holds: true, because: 'It is JSON that matches the schema' }
    : { holds: false, because: `It does not match the schema: ${problem}` }
}

export const containsJson: Grader<'contains-json'> = (assertion, { text }) => {
  const objects = [...findJsonObjects(text)]
  if (objects.length === 0) return { holds: false, because: 'It contains no valid JSON' }
  const check = compile(assertion)
  if (check === undefined) return { holds: true, because: 'It contains valid JSON' }
  const problems = objects.map(check)
  return problems.includes(null)
    ? { holds: true, because: 'It contains JSON that matches the schema' }
    : { holds: false, because: `Its JSON does not match the schema: ${problems.at(-1)}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function compile({ value }: AssertionOf<'is-json' | 'contains-json'>): Check | undefined {
  if (value === undefined || value === '') return undefined
  const schema = typeof value === 'string' ? readSchema(value) : value
  // As promptfoo sets it up: unknown words are refused. Inherited properties are no fields.
  const ajv = new Ajv({ strictSchema: true, logger: false, ownProperties: true })
  addFormats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    if ('$async' in validate) throw new Error('it may not be asynchronous')
    return (checked) => (validate(checked) ? null : ajv.errorsText(validate.errors, { dataVar: 'it' }))
  } catch (error) {
    throw new GradingError(`This is not a JSON schema: ${(error as Error).message}`)
  }
}

function readSchema(text: string): object {
  try {
    const schema: unknown = parse(text, { maxAliasCount: 100, stringKeys: true })
    if (typeof schema === 'object' && schema !== null) return schema
  } catch {
    // It is no YAML: said below.
  }
  throw new GradingError('This is not a JSON schema')
}
