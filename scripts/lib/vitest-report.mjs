/**
 * @typedef {{ fullName: string, status: string }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: Assertion[] }} TestFile
 * @typedef {{ testResults: TestFile[] }} Report
 */

/**
 * Counts tests the strict way: a skipped test, a file that didn't load and an error outside any test are failures.
 * @param {{ code: number, report: Report | undefined }} run exit code and vitest's JSON report
 */
export function countTests({ code, report }) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed')
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = tests.length - passed + broken.length
  const notes = skipped.map((test) => `Not run (${test.status}), so counted as failed: ${test.fullName}`)
  if (failed === 0 && (code !== 0 || tests.length === 0)) {
    return { passed, failed: 1, notes: [`The test run itself failed with code ${code}.`] }
  }
  return { passed, failed, notes }
}
