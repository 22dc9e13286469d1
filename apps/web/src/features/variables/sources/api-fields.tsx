import type { ProxyReply, Variable } from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { RefreshCwIcon, TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { VariableContent } from '../variable-content.tsx'
import { changesOrigin, type VariableForm } from '../variable-fields.tsx'
import { ApiHeaders } from './api-headers.tsx'
import { CacheTimeSelect } from './cache-time-select.tsx'
import { headersOf } from './variable-headers.ts'
import { useFetchApi, useTryAddress } from './variable-sources.queries.ts'

export interface ApiFieldsProps {
  form: UseFormReturn<VariableForm>
  variable: Variable | null
}

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
          The address has a new origin, so saving clears the stored header values. Enter those that the new
          origin may receive.
        </Banner>
      )}
      <ApiHeaders form={form} />
      <Field label="Reuse a fetched value for" error={formState.errors.cacheSeconds?.message}>
        <Controller
          control={control}
          name="cacheSeconds"
          render={({ field: { value, onChange } }) => <CacheTimeSelect value={value} onChange={onChange} />}
        />
      </Field>
      <FetchNow form={form} variable={stored} losesHeaders={losesHeaders} />
    </>
  )
}

/** What the address gives now: a saved one with its stored headers, one that was just typed with those of the form. */
function FetchNow({
  form,
  variable,
  losesHeaders,
}: {
  form: UseFormReturn<VariableForm>
  variable: Variable | null
  losesHeaders: boolean
}) {
  const { mutateAsync: fetchApi, isPending: isFetching } = useFetchApi()
  const { mutateAsync: tryAddress, isPending: isTrying } = useTryAddress()
  const [fetched, setFetched] = useState<ProxyReply | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { dirtyFields } = form.formState
  const { apiUrl, headers, keptHeaders, name } = form.watch()
  const isStored =
    variable !== null && !dirtyFields.apiUrl && !dirtyFields.headers && !dirtyFields.headersJson
  // A stored value may not go to another origin; one that isn't shown here can't be sent.
  const isHidden = headers.some(({ name, value }) => value === '' && keptHeaders.includes(name))
  const needsSave = !isStored && (losesHeaders || isHidden)
  const fetchNow = async () => {
    if (!isStored && !(await form.trigger(['apiUrl', 'headers', 'headersJson']))) return
    try {
      setFetched(
        isStored
          ? await fetchApi(variable)
          : await tryAddress({ apiUrl: apiUrl.trim(), apiHeaders: headersOf(headers) }),
      )
      setProblem(null)
      const description = `Successfully fetched content for ${variable?.name ?? (name.trim() || apiUrl.trim())}`
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
        <Button
          variant="secondary"
          size="sm"
          disabled={needsSave || apiUrl.trim() === ''}
          pending={isFetching || isTrying}
          onClick={fetchNow}
        >
          {!(isFetching || isTrying) && <RefreshCwIcon />}
          Fetch now
        </Button>
        <p role="status" className="text-xs text-text-3">
          {needsSave && 'Save first. Stored header values are not sent to an unsaved address.'}
          {!isStored && !needsSave && !fetched && 'Tests the values entered here. Nothing is saved.'}
          {!needsSave && fetched && (
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
