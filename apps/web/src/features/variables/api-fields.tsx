import type { ProxyReply, Variable } from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { RefreshCwIcon, TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { ApiHeaders } from './api-headers.tsx'
import { CacheTimeSelect } from './cache-time-select.tsx'
import { VariableContent } from './variable-content.tsx'
import { changesOrigin, type VariableForm } from './variable-fields.tsx'
import { useFetchApi } from './variable-sources.queries.ts'

export interface ApiFieldsProps {
  form: UseFormReturn<VariableForm>
  variable: Variable | null
}

/** Where the value is fetched from, with which headers, and for how long it is used again. */
export function ApiFields({ form, variable }: ApiFieldsProps) {
  const { control, register, formState } = form
  const apiUrl = form.watch('apiUrl')
  const stored = variable?.type === 'api' ? variable : null
  const losesHeaders =
    stored !== null &&
    Object.keys(stored.apiHeaders).length > 0 &&
    changesOrigin({ from: stored.apiUrl, to: apiUrl })
  return (
    <>
      <Field
        label="API URL"
        hint="Fetched when a prompt runs. Everyone who sees the variable sees this address."
        error={formState.errors.apiUrl?.message}
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.org/releases/latest.json"
          {...register('apiUrl')}
        />
      </Field>
      {losesHeaders && (
        <Banner variant="warn" role="status" icon={<TriangleAlertIcon />}>
          This address has another origin: saving clears the stored header values, so that they are not sent
          there. Enter the values that the new origin may have.
        </Banner>
      )}
      <ApiHeaders form={form} />
      <Field label="Use a fetched value again for" error={formState.errors.cacheSeconds?.message}>
        <Controller
          control={control}
          name="cacheSeconds"
          render={({ field: { value, onChange } }) => <CacheTimeSelect value={value} onChange={onChange} />}
        />
      </Field>
      <FetchNow form={form} variable={stored} />
    </>
  )
}

/** Only what is stored can be fetched, so that nobody's headers go to an address that was just typed. */
function FetchNow({ form, variable }: { form: UseFormReturn<VariableForm>; variable: Variable | null }) {
  const { mutateAsync: fetchApi, isPending } = useFetchApi()
  const [fetched, setFetched] = useState<ProxyReply | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { dirtyFields } = form.formState
  const isStored =
    variable !== null && !dirtyFields.apiUrl && !dirtyFields.headers && !dirtyFields.headersJson
  const fetchNow = async () => {
    if (!variable) return
    try {
      setFetched(await fetchApi(variable))
      setProblem(null)
      const description = `Successfully fetched content for ${variable.name}`
      toast({ title: 'Variable Content Fetched', description })
    } catch (error) {
      setFetched(null)
      setProblem(errorReason(error))
      const description = `Failed to fetch variable content: ${errorReason(error)}`
      toast({ title: 'Error', description, variant: 'destructive' })
    }
  }
  return (
    <section aria-label="Fetched content" className="grid gap-1.5">
      <div className="flex min-h-7 items-center gap-2.5">
        <Button variant="secondary" size="sm" disabled={!isStored} pending={isPending} onClick={fetchNow}>
          {!isPending && <RefreshCwIcon />}
          Fetch now
        </Button>
        <p role="status" className="text-xs text-text-3">
          {!isStored && 'Save first: only the saved address and headers are fetched.'}
          {isStored && fetched && (
            <>
              {fetched.contentType || 'unknown type'} · <RelativeTime time={fetched.fetchedAt} />
            </>
          )}
        </p>
      </div>
      <VariableContent
        title="API content"
        placeholder={variablePlaceholder({ type: 'api' })}
        content={fetched?.content}
        problem={problem}
      />
    </section>
  )
}
