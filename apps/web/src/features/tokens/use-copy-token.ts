import { TOKEN_TEXTS } from '@catenary/contracts'
import { useState } from 'react'
import { writeToClipboard } from '../../components/copy/copy-text.ts'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { copiedOf } from './hooks/hook-texts.ts'
import { type NamedToken, nameOf } from './token-texts.ts'
import { readTokenValue } from './tokens.queries.ts'

/** Copies a token's value, which is fetched for this and stored nowhere. */
export function useCopyToken(token: NamedToken) {
  const [isPending, setIsPending] = useState(false)
  const copy = async () => {
    setIsPending(true)
    const value = readTokenValue(token).then((read) => copiedOf(token, read))
    try {
      await writeToClipboard(value)
      toast({ title: TOKEN_TEXTS.copied, description: `“${nameOf(token)}” is on the clipboard.` })
    } catch {
      const refusal = await value.then(
        () => null,
        (error: unknown) => ({ error }),
      )
      toast({
        variant: 'destructive',
        ...(refusal
          ? {
              title: TOKEN_TEXTS.errorRetrieving,
              description: errorMessage(refusal.error, TOKEN_TEXTS.errorRetrievingBody),
            }
          : { title: TOKEN_TEXTS.copyFailed, description: TOKEN_TEXTS.copyFailedBody }),
      })
    } finally {
      setIsPending(false)
    }
  }
  return { copy: () => void copy(), isPending }
}
