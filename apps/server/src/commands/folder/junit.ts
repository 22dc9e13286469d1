import type { FolderEvaluation } from '@catenary/contracts'

/** What XML 1.0 can't hold, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the characters.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export function toJUnit(
  { suiteName, recordName, version, cases, status, stopReason }: FolderEvaluation,
  { label }: { label: string },
): string {
  const of = (...statuses: string[]) => cases.filter((each) => statuses.includes(each.status)).length
  const seconds = (ms: number | null) => ((ms ?? 0) / 1_000).toFixed(3)
  const total = cases.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const counts = `tests="${cases.length}" failures="${of('failed')}" errors="${of('error', 'private', 'waiting', 'running')}" skipped="${of('not-run')}" time="${seconds(total)}"`
  const lines = cases.map(({ name, status, reason, durationMs }) => {
    const head = `    <testcase classname="${attribute(`${recordName}.${suiteName}`)}" name="${attribute(name)}" time="${seconds(durationMs)}"`
    if (status === 'passed') return `${head}/>`
    const said = attribute(reason ?? stopReason ?? status)
    const what = status === 'failed' ? 'failure' : status === 'not-run' ? 'skipped' : 'error'
    return `${head}>\n      <${what} message="${said}"/>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="catenary" ${counts}>`,
    `  <testsuite name="${attribute(suiteName)}" ${counts}>`,
    '    <properties>',
    `      <property name="label" value="${attribute(label)}"/>`,
    `      <property name="version" value="${version}"/>`,
    `      <property name="status" value="${status}"/>`,
    '    </properties>',
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function attribute(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
}
