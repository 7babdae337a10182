/**
 * For every attribute of every kind a pair of configurations that differ in it alone. A test fails when a declaration
 * has an attribute, at any depth, that is missing here.
 */

import { type Attributes, catalogue, FORCE_DESTROY, kindNamed } from '../../provider/src/resources/index.ts'
import { onlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { actionPermissionVariants, actionVariants } from './variants/action-variants.ts'
import { customTypesVariants, customTypeVariants } from './variants/custom-type-variants.ts'
import { functionPermissionVariants, functionVariants } from './variants/function-variants.ts'
import {
  logicalModelPermissionVariants,
  logicalModelVariants,
  nativeQueryVariants,
} from './variants/native-query-variants.ts'
import {
  inheritedRoleVariants,
  selectPermissionVariants,
  writePermissionVariants,
} from './variants/permission-variants.ts'
import { arrayRelationshipVariants, objectRelationshipVariants } from './variants/relationship-variants.ts'
import {
  remoteRelationshipVariants,
  remoteSchemaPermissionVariants,
  remoteSchemaVariants,
  remoteTypeRelationshipVariants,
} from './variants/remote-variants.ts'
import {
  apiLimitsVariants,
  introspectionOptionsVariants,
  metricsConfigVariants,
  openTelemetryVariants,
  tlsAllowlistEntryVariants,
} from './variants/setting-variants.ts'
import { sourceVariants } from './variants/source-variants.ts'
import {
  allowlistEntryVariants,
  queryCollectionVariants,
  restEndpointVariants,
} from './variants/stored-query-variants.ts'
import { computedFieldVariants, tableVariants } from './variants/table-variants.ts'
import { cronTriggerVariants, eventTriggerVariants } from './variants/trigger-variants.ts'
import { changing, type Makers, slotOf, type Variant, type VariantPlaces } from './variants/variant.ts'

export const variantsOf = (kind: string, around: VariantPlaces): readonly Variant[] => {
  const make = makers[kind]
  if (!make) throw new Error(`kind-variants.ts has none of ${kind}`)
  return Object.entries(withConsent(kind, make(around))).map(([attribute, configs]) => {
    const [from, to] = configs(slotOf(`${kind.toLowerCase()}_${attribute}`))
    return { kind, attribute, from, to }
  })
}

/** Every kind in which others lie has it. */
function withConsent(kind: string, own: Makers): Makers {
  const [first] = Object.values(own)
  if (!first || !kindNamed(kind)?.attributes[FORCE_DESTROY]) return own
  return { ...own, [FORCE_DESTROY]: changing((slot) => first(slot)[0], {}, { [FORCE_DESTROY]: true }) }
}

const makers: Readonly<Record<string, (around: VariantPlaces) => Makers>> = {
  Source: sourceVariants,
  Table: tableVariants,
  ObjectRelationship: objectRelationshipVariants,
  ArrayRelationship: arrayRelationshipVariants,
  SelectPermission: selectPermissionVariants,
  InsertPermission: () => writePermissionVariants({ all_columns: true, check: '{}' }),
  UpdatePermission: () => writePermissionVariants({ all_columns: true, filter: '{}', check: '{}' }),
  DeletePermission: () => writePermissionVariants({ filter: '{}' }),
  ComputedField: computedFieldVariants,
  Function: functionVariants,
  FunctionPermission: functionPermissionVariants,
  InheritedRole: inheritedRoleVariants,
  LogicalModel: logicalModelVariants,
  LogicalModelPermission: logicalModelPermissionVariants,
  NativeQuery: nativeQueryVariants,
  QueryCollection: queryCollectionVariants,
  AllowlistEntry: allowlistEntryVariants,
  RestEndpoint: restEndpointVariants,
  EventTrigger: eventTriggerVariants,
  CronTrigger: cronTriggerVariants,
  CustomTypes: customTypesVariants,
  CustomType: customTypeVariants,
  Action: actionVariants,
  ActionPermission: actionPermissionVariants,
  ApiLimits: apiLimitsVariants,
  MetricsConfig: metricsConfigVariants,
  IntrospectionOptions: introspectionOptionsVariants,
  OpenTelemetry: openTelemetryVariants,
  TlsAllowlistEntry: tlsAllowlistEntryVariants,
  RemoteSchema: remoteSchemaVariants,
  RemoteSchemaPermission: remoteSchemaPermissionVariants,
  RemoteRelationship: remoteRelationshipVariants,
  RemoteTypeRelationship: remoteTypeRelationshipVariants,
}

/** The paths of everything that can be written, objects taken apart: `table.schema`, `column_config.*.comment`. */
export function leavesOf(attributes: Attributes, before = ''): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { type, presence }]) => {
    if (presence === 'computed') return []
    const path = `${before}${name}`
    if (type.kind === 'object') return leavesOf(type.attributes, `${path}.`)
    if ((type.kind === 'map' || type.kind === 'list') && type.of.kind === 'object')
      return leavesOf(type.of.attributes, `${path}.*.`)
    return [path]
  })
}

/** What sources of PostgreSQL have a use for. */
export const kinds = catalogue.filter(({ kind }) => !onlyElsewhere.has(kind))
