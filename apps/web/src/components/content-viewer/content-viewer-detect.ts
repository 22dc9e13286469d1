import { formatJson } from '@catenary/domain'

export type DetectedContent =
  | { kind: 'text' }
  | { kind: 'html'; text: string }
  | { kind: 'code'; text: string; language: string | null }

const PARSE_MAX = 500_000
const FENCE_MARKS = /^(`{3,20}|~{3,20})[ \t]*([\w+#.-]*)/
const OPENING_MAX = 500
const HTML_DOCUMENT = /^\s*<(!doctype\s+html|html[\s>])/i
const HTML_FRAGMENT =
  /^\s*<(a|article|b|blockquote|br|div|em|h[1-6]|header|hr|i|main|nav|ol|p|section|span|strong|table|u|ul)(\s[^>]*)?>[\s\S]*<\/[a-z][a-z0-9]*>\s*$/i
const CODE_OPENING =
  /^\s*(#!\/|import\s.+from\s|import\s\{|export\s(default|const|function|class)|(async\s+)?function\s+\w+\s*\(|(const|let|var)\s+\w+\s*=|class\s+\w+.*[{:]\s*$|def\s+\w+\(.*:|from\s+\w[\w.]*\s+import\s|package\s+[\w.]+;?\s*$|#include\s*[<"]|using\s+[\w.]+;|public\s+(static\s+)?(class|void)|fn\s+\w+\(|func\s+\w+\()/m
const CODE_LINE =
  /[;{}]\s*$|^\s{2,}\S|^\s*(return|if|for|while|else|elif|try|except|FROM|WHERE|JOIN|GROUP|ORDER)\b|[:,)]\s*$/

const SQL_OPENING = /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH)\s+[\w*"(]/
/** A word that follows the one that SQL begins with. */
const SQL_WORD =
  /^\s*\w+\b[\s\S]*\b(AS|FROM|INTO|SET|VALUES|TABLE|VIEW|INDEX|SCHEMA|DATABASE|FUNCTION|TRIGGER|COLUMN)\b/
const LIST_ITEM = /^\s*([-+•]|\d+[.)])\s+\S/

export function detectContent({
  text,
  isWriting = false,
}: {
  text: string
  isWriting?: boolean
}): DetectedContent {
  if (isWriting) return detectBeginning(text)
  const { inner, named } = readOneFence(text) ?? { inner: text, named: '' }
  const json = prettyJson(inner)
  if (json !== null) return { kind: 'code', text: json, language: 'json' }
  if (isHtml(inner) && (named === '' || /^html?$/i.test(named))) return { kind: 'html', text: inner }
  if (inner !== text) return { kind: 'code', text: inner, language: named === '' ? null : named }
  return isCode(text) ? { kind: 'code', text, language: null } : { kind: 'text' }
}

export function withoutFence(text: string): string {
  return readOneFence(text)?.inner ?? text
}

function readOneFence(text: string): { inner: string; named: string } | undefined {
  const trimmed = text.trim()
  const lineEnd = trimmed.indexOf('\n')
  const [, marks, named = ''] = FENCE_MARKS.exec(trimmed.slice(0, Math.max(lineEnd, 0))) ?? []
  const body = trimmed.slice(lineEnd + 1)
  if (marks === undefined || !body.endsWith(marks)) return undefined
  const inner = body.slice(0, -marks.length).replace(/\n$/, '')
  return inner.includes(marks) ? undefined : { inner, named }
}

function detectBeginning(text: string): DetectedContent {
  if (/^\s*(\{\s*"|\[\s*[{["])/.test(text)) return { kind: 'code', text, language: 'json' }
  if (HTML_DOCUMENT.test(text)) return { kind: 'code', text, language: 'html' }
  return { kind: 'text' }
}

function prettyJson(text: string): string | null {
  if (!/^\s*[{[]/.test(text) || text.length > PARSE_MAX) return null
  return formatJson(text) ?? null
}

function isHtml(text: string): boolean {
  return text.length <= PARSE_MAX && (HTML_DOCUMENT.test(text) || HTML_FRAGMENT.test(text))
}

function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const opening = lines[0]?.slice(0, OPENING_MAX) ?? ''
  if (lines.length < 2 || !(CODE_OPENING.test(opening) || isSql(opening, text))) return false
  if (!opening.startsWith('#!') && lines.some((line) => LIST_ITEM.test(line))) return false
  return lines.filter((line) => CODE_LINE.test(line)).length >= lines.length / 2
}

function isSql(opening: string, text: string): boolean {
  return SQL_OPENING.test(opening) && SQL_WORD.test(text.slice(0, PARSE_MAX))
}
