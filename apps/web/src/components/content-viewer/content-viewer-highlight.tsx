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
import { useLayoutEffect, useRef } from 'react'
import { sanitizeHighlight } from './content-viewer-sanitize.ts'

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

/** Longer code stays plain: colouring it would hold up the page. */
const HIGHLIGHT_MAX = 100_000

/** Code with its words in colour. */
export default function Highlighted({ code, language }: { code: string; language: string | null }) {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (code.length <= HIGHLIGHT_MAX)
      element.current?.replaceChildren(sanitizeHighlight(colour({ code, language })))
    else element.current?.replaceChildren(code)
  }, [code, language])
  return <code ref={element} />
}

function colour({ code, language }: { code: string; language: string | null }): string {
  const known = language !== null && hljs.getLanguage(language) !== undefined
  return known
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : hljs.highlightAuto(code).value
}
