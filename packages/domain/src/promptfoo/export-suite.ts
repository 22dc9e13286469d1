import { ASSERT_SET, type Assertion, type NotRunItem, type PlainAssertion } from '@catenary/contracts'
import { stringify } from 'yaml'
import type { CaseDraft, SuiteDraft } from './draft.ts'
import { toTemplate } from './templates.ts'

type Tree = Record<string, unknown>

/** The suite as promptfoo's YAML, with unused parts where they were. */
export function exportSuite({ name, defaults, cases, imported }: SuiteDraft): string {
  const config: Tree = { description: name }
  const fallback = toTest({ ...defaults, name: '', input: '', tags: [], skipsDefaults: false })
  if (Object.keys(fallback).length > 0) config.defaultTest = fallback
  config.tests = cases.map(toTest)
  putBack(config, imported)
  return stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** Each test with what the suite has for all of them: where several suites are in one file, each has its own. */
export function testsOf({ defaults, cases }: Pick<SuiteDraft, 'defaults' | 'cases'>): Tree[] {
  return cases.map(({ skipsDefaults, ...own }) =>
    toTest({
      ...own,
      values: { ...defaults.values, ...own.values },
      assertions: [...(skipsDefaults ? [] : defaults.assertions), ...own.assertions],
      threshold: own.threshold ?? defaults.threshold,
      skipsDefaults: false,
      notRun: [],
    }),
  )
}

function toTest(testCase: CaseDraft): Tree {
  const { name, input, values, tags, assertions, threshold, skipsDefaults, notRun } = testCase
  const metadata = { ...(tags.length > 0 && { tags }), ...(input !== '' && { [INPUT]: input }) }
  const test: Tree = {
    ...(name !== '' && { description: name }),
    ...(Object.keys(values).length > 0 && { vars: { ...values } }),
    ...(assertions.length > 0 && { assert: assertions.map(toRaw) }),
    ...(threshold !== null && { threshold }),
    ...(skipsDefaults && { options: { disableDefaultAsserts: true } }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  putBack(test, notRun)
  return test
}

/** Under which a test's metadata keeps what is added after the prompt: promptfoo has no place for it. */
export const INPUT = 'userInput'

function toRaw(assertion: Assertion): Tree {
  if (assertion.type === ASSERT_SET) return { ...assertion, assert: assertion.assert.map(toRawPlain) }
  return toRawPlain(assertion)
}

function toRawPlain(assertion: PlainAssertion): Tree {
  const { path, ...raw }: Tree = { ...assertion }
  if (path !== undefined) raw.transform = `JSON.parse(output).${path}`
  if (typeof raw.value === 'string') raw.value = toTemplate(raw.value)
  else if (Array.isArray(raw.value)) {
    raw.value = raw.value.map((each) => (typeof each === 'string' ? toTemplate(each) : each))
  }
  if (typeof raw.metric === 'string') raw.metric = toTemplate(raw.metric)
  return raw
}

/** Sets each thing where it stood: in a list between what is there now. */
function putBack(root: Tree, items: readonly NotRunItem[]): void {
  for (const { path, value } of items) {
    let at: Tree | unknown[] = root
    for (const [index, key] of path.entries()) {
      if (index === path.length - 1) put(at, key, value)
      else at = enter(at, key, typeof path[index + 1] === 'number')
    }
  }
}

function put(into: Tree | unknown[], key: string | number, value: unknown): void {
  if (Array.isArray(into)) into.splice(Number(key), 0, value)
  else into[key] = value
}

function enter(from: Tree | unknown[], key: string | number, isList: boolean): Tree | unknown[] {
  const found: unknown = Array.isArray(from) ? from[Math.min(Number(key), from.length - 1)] : own(from, key)
  if (typeof found === 'object' && found !== null) return found as Tree | unknown[]
  const made: Tree | unknown[] = isList ? [] : {}
  put(from, key, made)
  return made
}

function own(from: Tree, key: string | number): unknown {
  return Object.hasOwn(from, key) ? from[key] : undefined
}
