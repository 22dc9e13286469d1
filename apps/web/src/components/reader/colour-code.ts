import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { CODE_MAX, DEPTH_MAX, PARTS_MAX, TooMuchError } from './reader-bounds.ts'

const LANGUAGES = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Code as HTML in which words have classes, and nothing else; a language that isn't known is guessed. */
export function colourCode({ code, language }: { code: string; language: string | null }): string {
  if (code.length > CODE_MAX) throw new TooMuchError()
  const known = language !== null && hljs.getLanguage(language) !== undefined
  const html = known
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : hljs.highlightAuto(code).value
  checkSize(html)
  return html
}

function checkSize(html: string): void {
  let [parts, depth] = [0, 0]
  for (const [tag] of html.matchAll(/<\/?span/g)) {
    depth += tag === '<span' ? 1 : -1
    parts += 1
    if (parts > 2 * PARTS_MAX || depth > DEPTH_MAX) throw new TooMuchError()
  }
}
