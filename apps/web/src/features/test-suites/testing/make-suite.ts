import type { TestCase, TestSuite } from '@catenary/contracts'

const AT = '2026-11-20T10:00:00.000Z'

export function makeSuite(fields: Partial<TestSuite> = {}): TestSuite {
  return {
    ...{
      id: 3,
      promptId: 12,
      chainId: null,
      name: 'Launch mails',
      caseCount: 1,
      notRunCount: 0,
      revision: 4,
    },
    ...{ createdAt: AT, updatedAt: AT, canEdit: true, imported: [] },
    defaults: { values: {}, assertions: [], threshold: null, notRun: [] },
    ...fields,
  }
}

export function makeCase(fields: Partial<TestCase> = {}): TestCase {
  return {
    ...{
      id: 7,
      position: 0,
      name: 'Engineers, terse',
      input: '',
      values: { audience: 'engineers who skim' },
    },
    ...{ tags: ['tone'], threshold: null, skipsDefaults: false, notRun: [], revision: 2 },
    assertions: [
      { type: 'word-count', value: { max: 140 } },
      { type: 'not-icontains', value: 'delve' },
    ],
    ...fields,
  }
}
