export { BigQuery } from '@google-cloud/bigquery'
