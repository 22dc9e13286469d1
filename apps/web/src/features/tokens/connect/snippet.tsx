import type { ApiExample } from '@catenary/domain'
import { CheckIcon, CopyIcon } from 'lucide-react'
import CodeView from '../../../components/content-viewer/content-viewer-code.tsx'
import { type CopiedText, useCopied } from '../../../components/copy/use-copied.ts'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'
import { LANGUAGES } from '../example-languages.ts'

/** What is copied may hold a token's value that is not shown. */
export function Snippet({ example, copied }: { example: ApiExample; copied: CopiedText }) {
  const { id, client, label, code, language, idempotency } = example
  const { isCopied, copy } = useCopied({ text: copied })
  const isLine = language === 'Shell' && !code.includes('\n')
  return (
    <div className="grid min-w-0 rounded-control border border-line bg-inset">
      <div
        data-example={id}
        className={cn('flex min-w-0 items-start gap-2.5 pl-3.5', isLine ? 'py-1.5 pr-1.5' : 'py-2.5 pr-1.5')}
      >
        {isLine && (
          <span aria-hidden className="pt-1 font-mono text-xs leading-[1.65] text-text-3 select-none">
            $
          </span>
        )}
        <div className={cn('min-w-0 flex-1', isLine ? 'py-1' : 'pt-0.5')}>
          <CodeView code={code} language={LANGUAGES[language]} isWriting={false} />
        </div>
        <Button
          variant="secondary"
          size="sm"
          aria-label={isCopied ? 'Copied!' : `Copy: ${client}, ${label}`}
          onClick={() => void copy()}
        >
          {isCopied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
          <span className="max-md:sr-only">{isCopied ? 'Copied!' : 'Copy'}</span>
        </Button>
      </div>
      {idempotency !== undefined && (
        <p className="border-t border-line px-3.5 py-2 text-sm text-text-2">
          To repeat a call without paying twice, send a key with it:{' '}
          <code className="font-mono text-xs break-words">{idempotency}</code>
        </p>
      )}
    </div>
  )
}
