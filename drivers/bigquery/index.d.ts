export { BigQuery } from '@google-cloud/bigquery'
export { OAuth2Client } from 'google-auth-library'
