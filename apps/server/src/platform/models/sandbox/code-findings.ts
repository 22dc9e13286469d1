import { oneLine } from './words.ts'

export interface Finding {
  line: number
  code: string
  finding: string
  suggestion: string
}

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|function|const|let|var|if|for|while|return|import|export|class|public|private|async|fn|func|use)\b|=>|^\s*[\w.]+\(.*\)\s*$|^[+-]\s.*[;{}(]/
const SIGNS = [
  { sign: /\beval\s*\(/, finding: 'text is run as code', suggestion: 'parse it instead' },
  {
    sign: /(?:select|insert|update|delete)\b.*(?:["'`]\s*\+|\$\{|%s|\bf["'])/i,
    finding: 'the query is built from text, so a value can change it',
    suggestion: 'pass the value as a parameter',
  },
  {
    sign: /\b(?:password|secret|token|api_?key)\b\s*[:=]\s*["'`]/i,
    finding: 'there is a secret in the code',
    suggestion: 'read it from the environment',
  },
  {
    sign: /catch\s*(?:\([^)]{0,60}\))?\s*\{\s*\}|except\s*:/,
    finding: 'an error is swallowed',
    suggestion: 'handle it, or let it propagate',
  },
  {
    sign: /<=\s*[\w.]{1,60}\.(?:length|size|count)\b/,
    finding: 'the last iteration reads past the end',
    suggestion: 'compare with `<`',
  },
  {
    sign: /[^=!<>]==[^=]/,
    finding: '`==` converts before it compares',
    suggestion: 'compare with `===`',
    only: /[;{]|\b(?:var|let|const|function)\b/,
  },
  {
    sign: /\bvar\s+\w/,
    finding: '`var` reaches beyond its block',
    suggestion: 'declare it with `const` or `let`',
  },
  { sign: /:\s*any\b|\bas any\b/, finding: '`any` switches the checks off', suggestion: 'name the type' },
  {
    sign: /\bconsole\.log\s*\(|^\s*print\s*\(/,
    finding: 'a debug output was left in',
    suggestion: 'remove it, or write to the log',
  },
  {
    sign: /\b(?:TODO|FIXME|XXX)\b/,
    finding: 'something is left to do',
    suggestion: 'do it, or file an issue and name it',
  },
  {
    sign: /\/\s*[\w.]{1,60}\.(?:length|size)\b|\/\s*len\(/,
    finding: 'an empty list causes a division by zero',
    suggestion: 'decide what to return for an empty list',
  },
  {
    sign: /\bfor\s*\(.*\bin\b|\bfor\s*\((?:var|let)\b/,
    finding: 'the loop manages its index by hand',
    suggestion: 'iterate with `for … of`',
  },
] as const
const DECLARED = /\b(?:def|function|class|fn|func|const|let|var)\s+([\w$]{1,60})/

export function isCode(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '')
  return (
    written.length > 0 &&
    written.filter((line) => CODE_LINE.test(line.slice(0, 200))).length * 2 >= written.length
  )
}

export function findingsIn(lines: readonly string[]): Finding[] {
  const bounded = lines.slice(0, 200).map((line) => line.slice(0, 200))
  const found = bounded.flatMap((code, index) =>
    SIGNS.filter((one) => one.sign.test(code) && (!('only' in one) || one.only.test(code))).map(
      ({ finding, suggestion }) => ({ line: index + 1, code: oneLine(code, 80), finding, suggestion }),
    ),
  )
  if (found.length > 0) return found
  return bounded.flatMap((code, index) => {
    const name = DECLARED.exec(code)?.[1]
    if (name === undefined) return []
    return [
      {
        line: index + 1,
        code: oneLine(code, 80),
        finding: `\`${name}\` has no test in the code that was sent`,
        suggestion: 'add one for zero, one and many items',
      },
    ]
  })
}
