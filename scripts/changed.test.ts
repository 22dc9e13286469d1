import { afterAll, expect, test } from 'vitest'
import { testsOf } from './lib/changed.ts'
import { makeToyTree } from './testing/toy-tree.ts'

const one = 'apps/server/src/features/one'
const two = 'apps/server/src/features/two'
const tree = makeToyTree({
  'packages/contracts/src/index.ts': "export * from './a.ts'\nexport * from './b.ts'",
  'packages/contracts/src/a.ts': 'export const aSchema = 1',
  'packages/contracts/src/b.ts': 'export interface B {}',
  'apps/server/src/app.ts': "import './features/one/one.ts'\nimport './features/two/two.ts'",
  'apps/server/src/testing/harness.ts': "import '../app.ts'",
  [`${one}/one.ts`]: "import { aSchema as a } from '@catenary/contracts'",
  [`${one}/calls.test.ts`]: "import '../../testing/harness.ts'",
  [`${one}/calls.slow.test.ts`]: "import '../../testing/harness.ts'",
  [`${two}/two.ts`]: "import { type B } from '@catenary/contracts'\nimport '../one/one.ts'",
  [`${two}/calls.test.ts`]: "import '../../testing/harness.ts'",
  'apps/server/src/far.test.ts': "import './features/two/two.ts'",
  'scripts/all.test.ts': '',
})
afterAll(tree.remove)
const of = (...changed: string[]) => testsOf(tree.path, changed)
const ofOne = `${one}/calls.test.ts`
const ofTwo = `${two}/calls.test.ts`
const far = 'apps/server/src/far.test.ts'
const whole = 'scripts/all.test.ts'

test('a change concerns the tests beside it, beside what imports it, and those that import it however far away', () => {
  expect(of(`${two}/two.ts`)).toEqual([far, ofTwo, whole].toSorted())
  expect(of(`${one}/one.ts`)).toEqual([far, ofOne, ofTwo, whole].toSorted())
})

test('what puts everything together passes nothing on, but concerns all tests when it changes itself', () => {
  expect(of(`${two}/two.ts`)).not.toContain(ofOne)
  expect(of('apps/server/src/app.ts')).toEqual(expect.arrayContaining([ofOne, ofTwo]))
})

test('of a package a name concerns who imports that name', () => {
  expect(of('packages/contracts/src/b.ts')).toEqual([far, ofTwo, whole].toSorted())
  expect(of('packages/contracts/src/a.ts')).toContain(ofOne)
})
